#include "suite/traces/interval_set.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(IntervalSet, UnitesNestedOverlappingAndTouchingIntervals) {
  EXPECT_THAT(united({{20, 30}, {0, 10}, {2, 5}, {8, 12}, {12, 14}, {7, 7}}), ElementsAre(Interval{0, 14}, Interval{20, 30}));
}

TEST(IntervalSet, CutsToAWindow) {
  const IntervalSet set{{0, 10}, {20, 30}, {40, 50}};
  EXPECT_THAT(within(set, {5, 45}), ElementsAre(Interval{5, 10}, Interval{20, 30}, Interval{40, 45}));
  EXPECT_THAT(within(set, {10, 20}), IsEmpty());
}

TEST(IntervalSet, TakesIntervalsAway) {
  EXPECT_THAT(without({{0, 10}, {20, 30}}, {{-5, 2}, {4, 6}, {8, 22}, {25, 26}}),
              ElementsAre(Interval{2, 4}, Interval{6, 8}, Interval{22, 25}, Interval{26, 30}));
  EXPECT_THAT(without({{0, 10}}, {{0, 10}}), IsEmpty());
}

// One taken interval can cover parts of two.
TEST(IntervalSet, TakesOneIntervalAwayFromTwo) {
  EXPECT_THAT(without({{0, 10}, {12, 20}}, {{5, 15}}), ElementsAre(Interval{0, 5}, Interval{15, 20}));
}

TEST(IntervalSet, HasTheLengthOfAllItsIntervals) { EXPECT_EQ(length({{0, 10}, {20, 25}}), 15); }

}  // namespace
}  // namespace ddpbench
