#include "suite/store/blocks_against_steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Blocks of two steps of 2 ms on one rank; every `odd`-th block's wall_s is `factor` times what its steps say.
std::vector<std::string> problems_of(double factor, int odd, double device_s = kNotMeasured) {
  BlocksAgainstSteps both;
  StepRow step;
  BlockRow row;
  step.arm = row.arm = "raw";
  step.step_s = 0.002;
  for (std::int64_t block = 1; block <= 30; ++block) {
    step.super_block = step.block = block;
    for (step.step = -1; step.step <= 2; ++step.step) both.add(step);
  }
  row.device_s = device_s;
  for (std::int64_t block = 1; block <= 30; ++block) {
    row.super_block = row.block = block;
    row.wall_s = 0.004 * (block % odd == 0 ? factor : 1);
    both.add(row);
  }
  return both.problems("L0001");
}

TEST(BlocksAgainstSteps, FindsBlocksThatAreNotTheirStepsSum) {
  EXPECT_THAT(problems_of(1.2, 1),
              ElementsAre("launch L0001, arm raw: blocks of 0.0048 s where their steps take 0.004 s (medians)"));
  EXPECT_THAT(problems_of(0.5, 1), testing::SizeIs(1));
  EXPECT_THAT(problems_of(1.05, 1), IsEmpty());
}

TEST(BlocksAgainstSteps, ALostCoreBetweenTwoReadingsIsNone) { EXPECT_THAT(problems_of(50, 3), IsEmpty()); }

TEST(BlocksAgainstSteps, ADevicesStepsAreTimesOfEnqueuing) { EXPECT_THAT(problems_of(5, 1, 0.02), IsEmpty()); }

TEST(BlocksAgainstSteps, KeepsNoPlacesThatNoLaunchHas) {
  BlocksAgainstSteps both;
  StepRow step;
  step.super_block = 1;
  step.step = 1;
  step.step_s = 1;
  for (const std::int64_t far : {std::int64_t{-1}, std::int64_t{1} << 60}) {
    step.block = far;
    both.add(step);
    step.block = 1;
    step.rank = far;
    both.add(step);
    step.rank = 0;
  }
  EXPECT_THAT(both.problems("L0001"), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
