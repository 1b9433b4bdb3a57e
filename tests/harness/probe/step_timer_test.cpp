#include "harness/probe/step_timer.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/allocation_counter.hpp"

namespace ddpbench {
namespace {

void work(std::int64_t ns) {
  for (const auto begin = wall_ns(); wall_ns() - begin < ns;) {
  }
}

TEST(StepTimer, PhasesAddUpToTheStepExactly) {
  StepTimer timer;
  timer.open(3);
  for (int i = 0; i < 3; ++i) {
    const PhaseScope outer(timer, Phase::kWrapper);
    { const PhaseScope inner(timer, Phase::kForward); }
    { const PhaseScope inner(timer, Phase::kBackward); }
    timer.end_step();
  }
  for (const auto& step : timer.close()) {
    EXPECT_EQ(std::accumulate(step.phase_ns.begin(), step.phase_ns.end(), std::int64_t{0}), step.wall_ns);
  }
}

TEST(StepTimer, StepsFollowOneAnotherWithoutGap) {
  StepTimer timer;
  timer.open(2);
  timer.end_step();
  timer.end_step();
  const auto& steps = timer.close();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].begin_ns + steps[0].wall_ns, steps[1].begin_ns);
}

TEST(StepTimer, TheInnerScopesTimeIsNotTheOuterOnes) {
  constexpr std::int64_t kInner = 200'000;
  StepTimer timer;
  timer.open(1);
  {
    const PhaseScope outer(timer, Phase::kWrapper);
    const PhaseScope inner(timer, Phase::kData);
    work(kInner);
  }
  timer.end_step();
  const auto& step = timer.close().front();
  EXPECT_GE(step.phase_ns[index_of(Phase::kData)], kInner);
  EXPECT_LE(step.phase_ns[index_of(Phase::kWrapper)], step.wall_ns - kInner);
}

TEST(StepTimer, RecordsNothingWhileClosed) {
  StepTimer timer;
  { const PhaseScope scope(timer, Phase::kForward); }
  timer.open(1);
  timer.end_step();
  EXPECT_EQ(timer.close().front().phase_ns[index_of(Phase::kForward)], 0);
}

TEST(StepTimer, AllocatesNothingInsideAStep) {
  StepTimer timer;
  timer.open(64);
  const auto before = allocations();
  for (int i = 0; i < 64; ++i) {
    const PhaseScope scope(timer, Phase::kForward);
    timer.end_step();
  }
  EXPECT_EQ(allocations(), before);
  timer.close();
}

TEST(AllocationCounter, SeesAnAllocation) {
  const auto before = allocations();
  const std::vector<int> grown(1000);
  EXPECT_EQ(allocations(), before + 1) << grown.size();
}

}  // namespace
}  // namespace ddpbench
