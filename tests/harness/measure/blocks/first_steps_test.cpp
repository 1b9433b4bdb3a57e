#include "harness/measure/blocks/first_steps.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// The gradient scaler of its training leaves the first updates out.
class Overflowing final : public Arm {
 public:
  Overflowing(Session& session, int skips) : session_(session), skips_(skips) {}
  at::Tensor step() override {
    if (steps_++ < skips_) ++session_.skipped_steps;
    return {};
  }
  int steps() const { return steps_; }

 private:
  Session& session_;
  int skips_, steps_ = 0;
};

class FirstStepsTest : public testing::Test {
 protected:
  int steps_of(int skips) {
    Overflowing arm(session_, skips);
    int heard = 0;
    take_first_steps(session_, arm, [&] { ++heard; });
    EXPECT_EQ(heard, arm.steps());
    return arm.steps();
  }

  std::unique_ptr<TinyTraining> training_ = tiny_training("null", "single", nullptr, RankInfo{});
  Session& session_ = *training_->session;
};

TEST_F(FirstStepsTest, GoOnUntilTwoMadeAnUpdate) {
  EXPECT_EQ(steps_of(0), 2);
  EXPECT_EQ(steps_of(1), 3) << "ResNet50 at batch 128 in fp16: the scale of 65536 is too high, and momentum not yet there";
  EXPECT_EQ(steps_of(16), 18);
}

TEST_F(FirstStepsTest, EndWhereNoneEverDoes) {
  EXPECT_THAT([&] { steps_of(1000); }, ThrowsMessage<Error>(HasSubstr("the training diverges in this precision")));
}

// A captured step must not be the first: cuBLAS and cuDNN make their handles in it, and momentum appears.
TEST_F(FirstStepsTest, OfASharedTrainingAreTheReferences) {
  const auto arms = training_->make_arms({"trainer", "raw", "raw_again"});
  const auto drivers = drivers_of_trainings(arms);
  ASSERT_EQ(drivers.size(), 1U);
  EXPECT_EQ(drivers.front()->name, "raw");
}

}  // namespace
}  // namespace ddpbench
