// A machine's files, as Linux and NVIDIA's driver lay them out, in a folder of their own.
#include "suite/base/node_layout.hpp"

#include <gmock/gmock.h>

#include "suite/base/allowed_cores.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct NodeLayoutTest : ::testing::Test {
  test::ScriptFolder folder;
  test::ScopedVariable shown{"CUDA_VISIBLE_DEVICES", std::nullopt};

  void file(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    folder.write(name, text);
  }

  void gpu(const std::string& address, int minor, const std::string& memory_node, bool is_own = true) const {
    const auto number = std::to_string(minor);
    file("proc/driver/nvidia/gpus/" + address + "/information",
         "Model: \t\t NVIDIA H100\nGPU UUID: \t GPU-" + number + number + "aa-bb\nDevice Minor: \t " + number + "\n");
    file("sys/bus/pci/devices/" + address + "/numa_node", memory_node + "\n");
    if (is_own) file("dev/nvidia" + number, "");
  }

  std::vector<int> gpus() const { return node_layout({}, folder.path()).gpu_memory; }
};

TEST_F(NodeLayoutTest, TellsMemoryAndPhysicalCoreOfEachCore) {
  file("sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
  file("sys/devices/system/node/node1/cpulist", "2-3,6-7\n");
  file("sys/devices/system/node/possible", "0-1\n");
  for (int core = 0; core < 8; ++core) {
    const auto first = std::to_string(core % 4);
    file("sys/devices/system/cpu/cpu" + std::to_string(core) + "/topology/thread_siblings_list",
         first + "," + std::to_string(core % 4 + 4) + "\n");
  }
  EXPECT_THAT(node_layout({1, 5, 6}, folder.path()).cores, ElementsAre(Core{0, 1, 1}, Core{0, 1, 5}, Core{1, 2, 6}));
}

TEST_F(NodeLayoutTest, WhatNothingTellsIsOneNodeWithoutGpus) {
  const auto layout = node_layout({0, 3}, folder.path());
  EXPECT_THAT(layout.cores, ElementsAre(Core{0, 0, 0}, Core{0, 3, 3}));
  EXPECT_THAT(layout.gpu_memory, IsEmpty());
}

TEST_F(NodeLayoutTest, TellsTheMemoryNodeOfEachGpuByItsPciAddress) {
  gpu("0000:c7:00.0", 0, "0");
  gpu("0000:07:00.0", 1, "3");
  gpu("0000:47:00.0", 2, "-1");
  EXPECT_THAT(gpus(), ElementsAre(3, -1, 0));
}

TEST_F(NodeLayoutTest, PassesOverGpusThatAreNotOpenToThisProcess) {
  gpu("0000:07:00.0", 0, "0", false);
  gpu("0000:c7:00.0", 1, "1");
  EXPECT_THAT(gpus(), ElementsAre(1));
}

TEST_F(NodeLayoutTest, TakesThoseThatCudaIsShown) {
  gpu("0000:07:00.0", 0, "0");
  gpu("0000:47:00.0", 1, "1");
  gpu("0000:c7:00.0", 2, "2");
  const auto shown_by = [&](const char* variable) {
    const test::ScopedVariable devices("CUDA_VISIBLE_DEVICES", variable);
    return gpus();
  };
  EXPECT_THAT(shown_by("2,0"), ElementsAre(2, 0));
  EXPECT_THAT(shown_by("GPU-11aa"), ElementsAre(1));
  EXPECT_THAT(shown_by(""), IsEmpty()) << "set, and none named";
  EXPECT_THAT(shown_by("1,7,0"), ElementsAre(1)) << "behind a name that is no GPU's CUDA sees nothing";
}

TEST_F(NodeLayoutTest, OfThisMachineHoldsEveryCoreOnce) {
  const auto cores = allowed_cores();
  const auto layout = node_layout(cores);
  ASSERT_EQ(layout.cores.size(), cores.size());
  EXPECT_FALSE(memory_nodes_of(layout.cores).empty());
}

TEST(NumbersInList, AreThoseOfSys) {
  EXPECT_THAT(numbers_in_list("0-2,8,10-11"), ElementsAre(0, 1, 2, 8, 10, 11));
  EXPECT_THAT(numbers_in_list(""), IsEmpty());
  EXPECT_THAT(numbers_in_list("N/A"), IsEmpty());
  EXPECT_EQ(list_of_numbers({0, 1, 2, 8, 10, 11}), "0-2,8,10-11");
}

}  // namespace
}  // namespace ddpbench
