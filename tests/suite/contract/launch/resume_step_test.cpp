#include "suite/contract/launch/resume_step.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ArmFacts with_feature(const std::string& feature) {
  ArmFacts arm;
  arm.name = "py_raw+" + feature;
  arm.features = {feature};
  return arm;
}

TEST(ResumeStep, IsBehindHalfOfTheEpochsOrWhereTheArmSays) {
  EXPECT_EQ(resume_step(with_feature("clip=1"), 4, 10), 0);
  EXPECT_EQ(resume_step(with_feature("resumed=0"), 5, 10), 20);
  EXPECT_EQ(resume_step(with_feature("resumed=7"), 5, 10), 7);
  EXPECT_EQ(resume_step(with_feature("resumed=7"), 1, 10), 7);
  EXPECT_EQ(resume_step(with_feature("resumed=49"), 5, 10), 49);
}

TEST(ResumeStep, HasSomethingOfTheTrainingBeforeAndBehindIt) {
  EXPECT_THAT([] { resume_step(with_feature("resumed=0"), 1, 10); },
              ThrowsMessage<UsageError>(HasSubstr("epochs = 1: must be 2 at least, or name the step: +resumed=10")));
  EXPECT_THAT(
      [] { resume_step(with_feature("resumed=50"), 5, 10); },
      ThrowsMessage<UsageError>(HasSubstr("arm 'py_raw+resumed=50': its whole training has 50 steps: resumed must be below 50")));
  EXPECT_EQ(resume_step(with_feature("resumed=50"), 5, 0), 50) << "how many an epoch has is known in the launch only";
}

}  // namespace
}  // namespace ddpbench
