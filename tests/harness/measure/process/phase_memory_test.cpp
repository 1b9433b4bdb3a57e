#include "harness/measure/process/phase_memory.hpp"

#include <gtest/gtest.h>

#include "harness/probe/step_timer.hpp"

namespace ddpbench {
namespace {

// Live bytes by a script. What is reserved is twice the most that ever lived: a caching allocator keeps what is freed.
class ScriptedMemory {
 public:
  void add(std::int64_t bytes) {
    live_ += bytes;
    since_taken_ = std::max(since_taken_, live_);
    ever_ = std::max(ever_, live_);
  }
  MemoryPeak take_peak() { return {std::exchange(since_taken_, live_), 2 * ever_}; }

 private:
  std::int64_t live_ = 0, since_taken_ = 0, ever_ = 0;
};

class PhaseMemoryOfSteps : public testing::Test {
 protected:
  PhaseMemoryOfSteps() { timer_.show_ranges_in(phases_); }

  // A step as the loop by hand takes it: what forward keeps lives until backward is over.
  void step(std::int64_t activations) {
    const PhaseScope outer(timer_, Phase::kOther);
    {
      const PhaseScope scope(timer_, Phase::kForward);
      memory_.add(activations + 50);
      memory_.add(-50);  // a temporary
    }
    {
      const PhaseScope scope(timer_, Phase::kBackward);
      memory_.add(30);
      memory_.add(-activations - 30);
    }
    const PhaseScope scope(timer_, Phase::kOptimizer);
  }

  ScriptedMemory memory_;
  PhaseMemory phases_{[this] { return memory_.take_peak(); }};
  StepTimer timer_;
};

TEST_F(PhaseMemoryOfSteps, EachPhaseHasTheMostThatLivedWhileItWasTheInnermost) {
  memory_.add(1000);
  memory_.add(-900);  // of the first steps
  phases_.begin();
  step(200);
  phases_.end();
  EXPECT_EQ(phases_.set_up().allocated, 1000);
  EXPECT_EQ(phases_.of(Phase::kForward)->allocated, 350);
  EXPECT_EQ(phases_.of(Phase::kBackward)->allocated, 330);
  EXPECT_EQ(phases_.of(Phase::kOptimizer)->allocated, 100) << "nothing was added: what lived is its peak";
  EXPECT_EQ(phases_.of(Phase::kOther)->allocated, 300) << "between forward and backward, all of them live";
  EXPECT_FALSE(phases_.of(Phase::kData)) << "never open";
  EXPECT_EQ(phases_.largest().allocated, 1000) << "the process's own peak";
}

TEST_F(PhaseMemoryOfSteps, TheLargestOverAllStepsCountsAndIsTheStepsPeak) {
  memory_.add(100);
  phases_.begin();
  for (const std::int64_t activations : {200, 400, 300}) step(activations);
  phases_.end();
  EXPECT_EQ(phases_.of(Phase::kForward)->allocated, 550);
  EXPECT_EQ(phases_.of(Phase::kBackward)->allocated, 530);
  EXPECT_EQ(phases_.largest().allocated, 550);
  EXPECT_EQ(phases_.largest().reserved, 1100);
  EXPECT_EQ(phases_.set_up().reserved, 200) << "it had not grown yet";
}

TEST_F(PhaseMemoryOfSteps, WhatHappensOutsideOfAnyPhaseIsOfOther) {
  phases_.begin();
  memory_.add(70);
  memory_.add(-70);
  step(10);
  memory_.add(90);
  phases_.end();
  EXPECT_EQ(phases_.of(Phase::kForward)->allocated, 60);
  EXPECT_EQ(phases_.of(Phase::kOther)->allocated, 90);
  EXPECT_EQ(phases_.largest().allocated, 90);
}

}  // namespace
}  // namespace ddpbench
