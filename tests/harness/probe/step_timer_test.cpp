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

TEST(Probe, PhasesAddUpToTheStepExactly) {
  Probe probe;
  probe.open(3);
  for (int i = 0; i < 3; ++i) {
    const PhaseScope outer(probe, Phase::kWrapper);
    { const PhaseScope inner(probe, Phase::kForward); }
    { const PhaseScope inner(probe, Phase::kBackward); }
    probe.end_step();
  }
  for (const auto& step : probe.close()) {
    EXPECT_EQ(std::accumulate(step.phase_ns.begin(), step.phase_ns.end(), std::int64_t{0}), step.wall_ns);
  }
}

TEST(Probe, StepsFollowOneAnotherWithoutGap) {
  Probe probe;
  probe.open(2);
  probe.end_step();
  probe.end_step();
  const auto& steps = probe.close();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].begin_ns + steps[0].wall_ns, steps[1].begin_ns);
}

TEST(Probe, TheInnerScopesTimeIsNotTheOuterOnes) {
  constexpr std::int64_t kInner = 200'000;
  Probe probe;
  probe.open(1);
  {
    const PhaseScope outer(probe, Phase::kWrapper);
    const PhaseScope inner(probe, Phase::kData);
    work(kInner);
  }
  probe.end_step();
  const auto& step = probe.close().front();
  EXPECT_GE(step.phase_ns[index_of(Phase::kData)], kInner);
  EXPECT_LE(step.phase_ns[index_of(Phase::kWrapper)], step.wall_ns - kInner);
}

TEST(Probe, RecordsNothingWhileClosed) {
  Probe probe;
  { const PhaseScope scope(probe, Phase::kForward); }
  probe.open(1);
  probe.end_step();
  EXPECT_EQ(probe.close().front().phase_ns[index_of(Phase::kForward)], 0);
}

TEST(Probe, AllocatesNothingInsideAStep) {
  Probe probe;
  probe.open(64);
  const auto before = allocations();
  for (int i = 0; i < 64; ++i) {
    const PhaseScope scope(probe, Phase::kForward);
    probe.end_step();
  }
  EXPECT_EQ(allocations(), before);
  probe.close();
}

TEST(AllocationCounter, SeesAnAllocation) {
  const auto before = allocations();
  const std::vector<int> grown(1000);
  EXPECT_EQ(allocations(), before + 1) << grown.size();
}

}  // namespace
}  // namespace ddpbench
