#include "suite/traces/timer_agreement.hpp"

#include <gmock/gmock.h>

#include "tests/suite/traces/made_trace.hpp"

namespace ddpbench {
namespace {

using test::MadeTrace;

constexpr std::int64_t kMicrosecond = 1000;

// Two blocks, each of one arm: steps of 100 us, of which forward takes 60.
RankSummary two_blocks() {
  MadeTrace made;
  for (int block = 0; block < 2; ++block) {
    const auto begin = block * 1000 * kMicrosecond;
    made.block(block == 0 ? "raw" : "trainer", begin, begin + 200 * kMicrosecond);
    for (int step = 0; step < 2; ++step) {
      const auto at = begin + step * 100 * kMicrosecond;
      made.step(at, at + 100 * kMicrosecond, 2 * block + step).phase("forward", at, at + 60 * kMicrosecond);
    }
  }
  const auto& trace = made.done();
  return summarize(trace, find_steps(trace, ""));
}

StepRow timed(const std::string& arm, int block, int step, double forward_us, double step_us = 100) {
  StepRow row;
  row.arm = arm;
  row.block = block;
  row.step = step;
  row.discarded = step < 1;
  row.step_s = step_us * 1e-6;
  row.data_s = row.h2d_s = row.backward_s = row.optimizer_s = row.wrapper_s = 0;
  row.forward_s = forward_us * 1e-6;
  row.other_s = (step_us - forward_us) * 1e-6;
  return row;
}

std::vector<StepRow> timers(double forward_us) {
  return {timed("raw", 1, 0, 500), timed("raw", 1, 1, forward_us), timed("raw", 1, 2, forward_us), timed("trainer", 2, 1, 60),
          timed("trainer", 2, 2, 60)};
}

const TimerRow& row_of(const TimerComparison& comparison, const std::string& arm, const std::string& what) {
  for (const auto& row : comparison.rows) {
    if (row.arm == arm && row.what == what) return row;
  }
  throw std::runtime_error("no row " + arm + " " + what);
}

TEST(TimerAgreement, ComparesTheSameSteps) {
  const auto comparison = compare_with_timers(two_blocks(), timers(60));
  EXPECT_TRUE(comparison.agrees());
  EXPECT_EQ(comparison.matched, 4);
  EXPECT_DOUBLE_EQ(row_of(comparison, "raw", "step").trace_us, 100);
  EXPECT_DOUBLE_EQ(row_of(comparison, "raw", "forward").timer_us, 60);
  EXPECT_DOUBLE_EQ(row_of(comparison, "raw", "step").limit_us, 5);
  EXPECT_DOUBLE_EQ(row_of(comparison, "raw", "forward").limit_us, 3);
}

TEST(TimerAgreement, FindsADifferenceBeyondTheGate) {
  const auto comparison = compare_with_timers(two_blocks(), timers(56));
  EXPECT_FALSE(comparison.agrees());
  EXPECT_FALSE(row_of(comparison, "raw", "forward").agrees());
  EXPECT_TRUE(row_of(comparison, "raw", "step").agrees());
  EXPECT_TRUE(row_of(comparison, "trainer", "forward").agrees());
}

// In one of three steps the rank lost its core between a clock and a mark.
TEST(TimerAgreement, OneStepThatWasDisturbedIsNoDisagreement) {
  MadeTrace made;
  made.block("raw", 0, 100'000 * kMicrosecond);
  std::vector<StepRow> rows;
  for (int step = 0; step < 3; ++step) {
    const auto at = step * 10'000 * kMicrosecond;
    const auto phase = (step == 1 ? 4'060 : 60) * kMicrosecond;
    made.step(at, at + 5'000 * kMicrosecond, step).phase("forward", at, at + phase);
    rows.push_back(timed("raw", 1, step + 1, 60, 5'000));
  }
  const auto& trace = made.done();
  const auto comparison = compare_with_timers(summarize(trace, find_steps(trace, "")), rows);
  EXPECT_TRUE(row_of(comparison, "raw", "forward").agrees());
  EXPECT_TRUE(comparison.agrees());
}

// `wrapper` and `other` lie around the other phases, whose marks are in them.
TEST(TimerAgreement, APhaseAroundOthersMayDifferByTheirMarks) {
  MadeTrace made;
  made.block("raw", 0, 1'000 * kMicrosecond);
  made.step(0, 100 * kMicrosecond, 0)
      .phase("wrapper", 0, 100 * kMicrosecond)
      .phase("data", 10 * kMicrosecond, 20 * kMicrosecond)
      .phase("forward", 20 * kMicrosecond, 60 * kMicrosecond);
  const auto& trace = made.done();
  auto row = timed("raw", 1, 1, 40);
  row.data_s = 10e-6;
  row.other_s = 0;
  row.wrapper_s = 42.1e-6;  // of 50: 7.9 us for three marks and the step's
  EXPECT_TRUE(row_of(compare_with_timers(summarize(trace, find_steps(trace, "")), {row}), "raw", "wrapper").agrees());
  row.wrapper_s = 41.9e-6;
  EXPECT_FALSE(row_of(compare_with_timers(summarize(trace, find_steps(trace, "")), {row}), "raw", "wrapper").agrees());
}

// 2 us for each mark: here forward's and the step's.
TEST(TimerAgreement, AllowsTwoMicrosecondsForEachMark) {
  auto rows = timers(60);
  for (auto& row : rows) row.other_s = 36.1e-6;
  EXPECT_TRUE(row_of(compare_with_timers(two_blocks(), rows), "raw", "other").agrees());
  for (auto& row : rows) row.other_s = 35.9e-6;
  EXPECT_FALSE(row_of(compare_with_timers(two_blocks(), rows), "raw", "other").agrees());
}

TEST(TimerAgreement, DoesNotAgreeWhereStepsAreMissing) {
  auto rows = timers(60);
  rows.pop_back();
  const auto fewer = compare_with_timers(two_blocks(), rows);
  EXPECT_EQ(fewer.only_trace, 1);
  EXPECT_FALSE(fewer.agrees());
  rows = timers(60);
  rows.push_back(timed("raw", 3, 1, 60));
  const auto more = compare_with_timers(two_blocks(), rows);
  EXPECT_EQ(more.only_timers, 1);
  EXPECT_FALSE(more.agrees());
}

// As `ddpbench trace --arm` leaves them: the other arm's block has no row any more.
TEST(TimerAgreement, MatchesTheBlocksOfAnArmAlone) {
  auto rows = timers(60);
  std::erase_if(rows, [](const StepRow& row) { return row.arm != "trainer"; });
  auto summary = two_blocks();
  std::erase_if(summary.arms, [](const auto& arm) { return arm.first != "trainer"; });
  const auto comparison = compare_with_timers(summary, rows);
  EXPECT_EQ(comparison.matched, 2);
  EXPECT_TRUE(comparison.agrees());
}

// Two files of one rank: the blocks of the second count on, as do its timers' super-blocks.
TEST(TimerAgreement, MatchesTheStepsOfSpansThatWereAdded) {
  auto both = two_blocks();
  add_span(both, two_blocks());
  auto rows = timers(60), second = timers(60);
  for (auto& row : second) row.super_block = 2;
  rows.insert(rows.end(), second.begin(), second.end());
  const auto comparison = compare_with_timers(both, rows);
  EXPECT_EQ(comparison.matched, 8);
  EXPECT_TRUE(comparison.agrees());
  EXPECT_EQ(both.spans, 2);
}

TEST(TimerAgreement, KnowsTheFileBesideATrace) {
  EXPECT_EQ(timers_file("a/L1/raw/rank0.2.pt.trace.json.gz"), "a/L1/raw/rank0.2.steps.csv");
  EXPECT_EQ(timers_file("a/L1.rank0.json.gz"), "a/L1.rank0.steps.csv");
  EXPECT_EQ(timers_file("a/L1.rank0.nsys-rep"), "a/L1.rank0.steps.csv");
}

}  // namespace
}  // namespace ddpbench
