#include "suite/launch/local/core_binding.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// On one memory node, each of its own.
std::vector<Core> plain(const std::vector<int>& numbers) {
  std::vector<Core> cores;
  for (const int number : numbers) cores.push_back({0, number, number});
  return cores;
}

// Two memory nodes of two physical cores with two threads each, as one kind of machine numbers them: 0-3 and 4-7 are the first and
// second threads, the even ones on node 0.
const std::vector<Core> kInterleaved{{0, 0, 0}, {1, 1, 1}, {0, 2, 2}, {1, 3, 3}, {0, 0, 4}, {1, 1, 5}, {0, 2, 6}, {1, 3, 7}};

std::vector<std::vector<int>> numbers(const std::vector<Share>& shares) {
  std::vector<std::vector<int>> all;
  for (const auto& share : shares) all.push_back(numbers_of(share));
  return all;
}

TEST(CoreBinding, GivesEachRankTheSameNumberOfNeighbours) {
  EXPECT_THAT(numbers(share_cores(plain({0, 1, 2, 3, 8, 9, 10}), 3)),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(8, 9)));
}

TEST(CoreBinding, KeepsARankOnOneMemoryNodeAndOnWholePhysicalCores) {
  EXPECT_THAT(numbers(share_cores(kInterleaved, 2)), ElementsAre(ElementsAre(0, 2, 4, 6), ElementsAre(1, 3, 5, 7)));
  EXPECT_THAT(numbers(share_cores(kInterleaved, 4)),
              ElementsAre(ElementsAre(0, 4), ElementsAre(2, 6), ElementsAre(1, 5), ElementsAre(3, 7)));
}

// As on machines whose first GPU hangs at the last memory node.
TEST(CoreBinding, GivesEachRankTheCoresNextToItsGpu) {
  const NodeLayout layout{kInterleaved, {1, 1, 0, 0}};
  EXPECT_THAT(numbers(share_layout(layout, 4)),
              ElementsAre(ElementsAre(1, 5), ElementsAre(3, 7), ElementsAre(0, 4), ElementsAre(2, 6)));
  EXPECT_THAT(numbers(share_layout(layout, 2)), ElementsAre(ElementsAre(1, 3, 5, 7), ElementsAre(0, 2, 4, 6)))
      << "the other takes what is left";
}

TEST(CoreBinding, AGpuWhosePlaceIsNotKnownWantsNothing) {
  EXPECT_EQ(numbers(share_layout({kInterleaved, {-1, -1}}, 2)), numbers(share_cores(kInterleaved, 2)));
}

TEST(CoreBinding, TheOnlyGpuThatARankSeesIsItsOwn) {
  EXPECT_EQ(gpu_memory_of({{}, {1}}, 3), 1);
  EXPECT_EQ(gpu_memory_of({{}, {1, 0}}, 1), 0);
  EXPECT_EQ(gpu_memory_of({{}, {1, 0}}, 2), -1);
  EXPECT_EQ(gpu_memory_of({}, 0), -1);
}

TEST(CoreBinding, BindsNothingWhereARankAndItsBackendsThreadsWouldShareACore) {
  EXPECT_THAT(share_cores(plain({0, 1}), 2), IsEmpty());
  EXPECT_THAT(share_cores(plain({0, 1}), 3), IsEmpty());
  EXPECT_THAT(describe_binding({plain({0, 1}), {}}, 3), HasSubstr("none: 3 ranks share 2 cores"));
}

TEST(CoreBinding, WhereEachRankHasOneCoreItsMainThreadAloneKeepsToIt) {
  EXPECT_THAT(main_cores({plain({0, 1}), {}}, 2), ElementsAre(0, 1));
  EXPECT_THAT(main_cores({plain({4, 6, 9}), {}}, 2), ElementsAre(4, 6));
  EXPECT_THAT(main_cores({plain({0, 1, 2, 3}), {}}, 2), IsEmpty()) << "they are bound whole";
  EXPECT_THAT(main_cores({plain({0, 1}), {}}, 3), IsEmpty()) << "two of them would have to take turns";
  EXPECT_THAT(main_cores({}, 2), IsEmpty());
  EXPECT_EQ(describe_binding({plain({0, 1}), {}}, 2),
            "main threads alone: rank 0: 0, rank 1: 1 (fewer than 2 cores for each rank: expect noise)");
}

TEST(CoreBinding, WritesRunsOfCoresShortlyAndMemoryWhereThereIsAChoice) {
  EXPECT_EQ(describe_binding({plain({0, 1, 2, 5, 7, 8, 9}), {}}, 2), "rank 0: 0-2, rank 1: 5,7-8");
  EXPECT_EQ(describe_binding({kInterleaved, {}}, 2), "rank 0: 0,2,4,6 (memory 0), rank 1: 1,3,5,7 (memory 1)");
}

}  // namespace
}  // namespace ddpbench
