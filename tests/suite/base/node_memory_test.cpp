#include "suite/base/node_memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kGib = 1LL << 30;

class NodeMemory : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = folder_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::int64_t found() const { return node_memory_bytes(folder_.path()); }

  void SetUp() override {
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 5 kB\n");
    write(
        "proc/self/mountinfo",
        "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n32 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  }

  ScratchFolder folder_;
};

TEST_F(NodeMemory, IsTheMachinesWithoutALimit) {
  write("proc/self/cgroup", "0::/user.slice\n");
  write("sys/fs/cgroup/user.slice/memory.max", "max\n");
  EXPECT_EQ(found(), 16 * kGib);
}

TEST_F(NodeMemory, IsTheLeastLimitOfTheGroupsAboveIt) {
  write("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
  write("sys/fs/cgroup/slurm/job_7/memory.max", std::to_string(4 * kGib));
  write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max");
  EXPECT_EQ(found(), 4 * kGib);
}

TEST_F(NodeMemory, IsAContainersWhoseGroupIsTheMountItself) {
  write("proc/self/cgroup", "0::/../outside\n");
  write("sys/fs/cgroup/memory.max", std::to_string(2 * kGib));
  EXPECT_EQ(found(), 2 * kGib);
}

TEST_F(NodeMemory, KnowsVersionOneAndItsNumberBeyondAnyMemory) {
  write("proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(found(), 16 * kGib);
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", std::to_string(kGib));
  EXPECT_EQ(found(), kGib);
}

TEST(NodeMemoryHere, IsNotNothing) { EXPECT_GT(node_memory_bytes(), 0); }

TEST(NodeMemoryHere, IsZeroWhereTheSystemDoesNotTell) {
  const ScratchFolder empty;
  EXPECT_EQ(node_memory_bytes(empty.path()), 0);
}

}  // namespace
}  // namespace ddpbench
