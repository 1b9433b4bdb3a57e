#include "suite/launch/local/core_binding.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CoreBinding, GivesEachRankTheSameNumberOfNeighbours) {
  EXPECT_THAT(share_cores({0, 1, 2, 3, 8, 9, 10}, 3), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(8, 9)));
}

TEST(CoreBinding, BindsNothingWhereARankAndItsBackendsThreadsWouldShareACore) {
  EXPECT_THAT(share_cores({0, 1}, 2), IsEmpty());
  EXPECT_THAT(share_cores({0, 1}, 3), IsEmpty());
  EXPECT_THAT(describe_binding({}, 2, 3), HasSubstr("3 ranks share 2 cores"));
}

TEST(CoreBinding, WritesRunsOfCoresShortly) {
  EXPECT_EQ(describe_binding({{0, 1, 2, 5}, {7}}, 5, 2), "rank 0: 0-2,5, rank 1: 7");
}

}  // namespace
}  // namespace ddpbench
