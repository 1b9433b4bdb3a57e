#include "reports/analysis/verdicts/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A step of 400 us, so that ±m is the 2 us of `evidence()`; every gate passes.
OverheadRow row_with(double lo, double hi) {
  OverheadRow row;
  row.arm = "trainer";
  row.overhead_us = 0.5 * (lo + hi);
  row.overhead_us_lo = lo;
  row.overhead_us_hi = hi;
  row.reference_step_ms = 0.4;
  row.pairs = 100;
  row.launches = 1;
  row.aa_lo = -0.5;
  row.aa_hi = 0.5;
  row.injected_true_us = 100;
  row.injected_us = 104;
  row.p_value = row.p_holm = 0.001;
  row.comparisons = 1;
  row.pairs_needed = std::ceil(pairs_needed(0.04, 2.0 / 400));
  return row;
}

Evidence evidence() {
  Evidence evidence;
  evidence.margin_us = 2;
  evidence.sigma_d = 0.04;
  evidence.aa = {"raw_again", true};
  evidence.control = {"injected", true};
  evidence.cores_per_rank = 1;
  return evidence;
}

OverheadRow judged(OverheadRow row, Clock clock = Clock::kThreadCpu, const Evidence& beside = evidence()) {
  judge_margin(row, entry_of(clock), beside);
  return row;
}

TEST(Verdict, FollowsTheIntervalAgainstTheMargin) {
  EXPECT_EQ(judged(row_with(-1.9, 1.9)).verdict, verdict::kEquivalent);
  EXPECT_EQ(judged(row_with(0.5, 1.5)).verdict, verdict::kEquivalent);
  EXPECT_EQ(judged(row_with(2.5, 4)).verdict, verdict::kSlower);
  EXPECT_THAT(judged(row_with(2.5, 4)).reason, HasSubstr("beyond ±2 us; host work only"));
  EXPECT_EQ(judged(row_with(1, 4)).verdict, verdict::kSlower);
  EXPECT_THAT(judged(row_with(1, 4)).reason, HasSubstr("not all of it beyond"));
  EXPECT_EQ(judged(row_with(-4, -1)).verdict, verdict::kFaster);
  EXPECT_EQ(judged(row_with(-4, -2.5)).verdict, verdict::kFaster);
}

TEST(Verdict, AmbiguousNamesThePairsStillNeeded) {
  const auto row = judged(row_with(-1, 4));
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  // (1.96 · 1.023 · 0.04 / 0.0025)² = 1029.2 pairs for a half-width of 1 us of 400, 100 are there
  EXPECT_THAT(row.reason, HasSubstr("about 930 more pairs"));
  EXPECT_NEAR(pairs_needed(0.04, 0.0025), 1029.2, 0.1);
}

TEST(Verdict, HeavyTailsAreScaledFromTheInterval) {
  auto beside = evidence();
  beside.sigma_d = 0.001;
  // The half-width is 2.5 us where 1 is wanted: 6.25 times the hundred pairs.
  EXPECT_THAT(judged(row_with(-1, 4), Clock::kThreadCpu, beside).reason, HasSubstr("about 525 more pairs"));
}

TEST(Verdict, AnAaIntervalOutsideTheMarginMakesItUnmeasurable) {
  auto row = row_with(3, 4);
  row.aa_hi = 2.5;
  auto beside = evidence();
  beside.load = 3.5;
  beside.steal_percent = 12;
  row = judged(row, Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kUnmeasurable);
  EXPECT_THAT(row.reason, AllOf(HasSubstr("not resolved: A/A interval [-0.50, +2.5] us exceeds ±2 us"),
                                HasSubstr("258 pairs needed for a half-width of 2.00 us, 100 there"),
                                HasSubstr("sd of a pair 4.0 %"), HasSubstr("load 3.5"), HasSubstr("steal 12 %")));
}

// docs/measurement.md "Verdicts": what the cap cannot hold is said, with what would help.
TEST(Verdict, PairsThatDoNotFitTheCapMakeItUnmeasurable) {
  auto beside = evidence();
  beside.affordable_pairs = 129;
  beside.steal_percent = 12;
  const auto row = judged(row_with(-1, 4), Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kUnmeasurable);
  EXPECT_THAT(row.reason,
              AllOf(HasSubstr("it takes more pairs than the cap on a launch affords"), HasSubstr("sd of a pair 4.0 %"),
                    HasSubstr("258 pairs needed"), HasSubstr("129 within the cap"), HasSubstr("steal 12 %"),
                    HasSubstr("a quieter host would help, or 2.0 times the pairs"), HasSubstr("a margin of ±2.8 us")));
  beside.affordable_pairs = 258;
  EXPECT_EQ(judged(row_with(-1, 4), Clock::kThreadCpu, beside).verdict, verdict::kAmbiguous);
}

TEST(Verdict, AnIntervalThatIsNarrowEnoughNeedsNoForecast) {
  auto beside = evidence();
  beside.affordable_pairs = 129;
  EXPECT_EQ(judged(row_with(-1.5, 1.5), Clock::kThreadCpu, beside).verdict, verdict::kEquivalent);
}

TEST(Verdict, ADifferenceThatMayBeChanceAmongManyIsAmbiguous) {
  auto row = row_with(1, 4);
  row.p_value = 0.02;
  row.p_holm = 0.24;
  row.comparisons = 12;
  row = judged(row);
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_THAT(row.reason,
              AllOf(HasSubstr("may be chance in 12 comparisons (p = 0.020, by Holm = 0.24)"), HasSubstr("more pairs")));
  row = row_with(-4, -1);
  row.p_holm = 0.05;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
  row = row_with(-1, 1);
  row.p_holm = 0.9;
  EXPECT_EQ(judged(row).verdict, verdict::kEquivalent);
}

TEST(Verdict, PeriodicWorkSettlesWhatChanceLeavesOpenOnlyWhereItOutweighsIt) {
  auto row = row_with(0.1, 2.3);
  row.p_holm = 0.9;
  row.periodic_us = row.periodic_us_lo = row.periodic_us_hi = 0.01;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
  row.periodic_us = row.periodic_us_lo = row.periodic_us_hi = 5;
  EXPECT_EQ(judged(row).verdict, verdict::kSlower);
}

TEST(Verdict, TheDevicesClockHasAControlOfItsOwn) {
  auto row = row_with(3, 4);
  EXPECT_EQ(judged(row, Clock::kDevice).verdict, verdict::kSlower);
  row.injected_us = 106;
  EXPECT_EQ(judged(row, Clock::kDevice).verdict, verdict::kUnmeasurable);
  auto beside = evidence();
  beside.control = {"injected+on_device", false};
  EXPECT_THAT(judged(row, Clock::kDevice, beside).reason, HasSubstr("control not checked (no arm injected+on_device)"));
}

TEST(Verdict, TheControlMustBeFoundOnThreadCpu) {
  auto row = row_with(3, 4);
  row.injected_us = 106;  // tolerance: 5 % of 100
  EXPECT_EQ(judged(row).verdict, verdict::kUnmeasurable);
  EXPECT_THAT(judged(row).reason, HasSubstr("106 us found of 100 us injected"));
  auto beside = evidence();  // its own interval counts, as far as ±m
  beside.control_lo_us = 105;
  beside.control_hi_us = 107;
  EXPECT_EQ(judged(row, Clock::kThreadCpu, beside).verdict, verdict::kSlower);
  row.injected_us = 108;
  beside.control_hi_us = 120;
  EXPECT_EQ(judged(row, Clock::kThreadCpu, beside).verdict, verdict::kUnmeasurable);
  beside.margin_us = 6500;  // of a long step: a delay that was not found must not pass
  beside.control_lo_us = -300;
  beside.control_hi_us = 300;
  row.injected_us = 0;
  EXPECT_EQ(judged(row, Clock::kThreadCpu, beside).verdict, verdict::kUnmeasurable);
  row.injected_us = 106;
  row.injected_true_us = 10;
  row.injected_us = 11.9;  // tolerance: 2 us
  EXPECT_EQ(judged(row).verdict, verdict::kSlower);
}

TEST(Verdict, WallIsGatedOnlyWithTwoCoresPerRank) {
  auto row = row_with(3, 4);
  row.injected_us = 135;
  EXPECT_EQ(judged(row, Clock::kWall).verdict, verdict::kSlower);
  EXPECT_THAT(judged(row, Clock::kWall).reason,
              AllOf(HasSubstr("printed, not gated"), HasSubstr("135 us found of 100"), Not(HasSubstr("host work"))));
  auto beside = evidence();
  beside.cores_per_rank = 2;
  EXPECT_EQ(judged(row, Clock::kWall, beside).verdict, verdict::kUnmeasurable);
}

TEST(Verdict, GatesOfAbsentArmsAreCalledNotChecked) {
  auto row = row_with(3, 4);
  row.aa_lo = row.aa_hi = row.injected_us = row.injected_true_us = kNotMeasured;
  EXPECT_EQ(judged(row).verdict, verdict::kUnmeasurable);  // planned, but without an estimate
  auto beside = evidence();
  beside.aa.is_planned = beside.control.is_planned = false;
  row = judged(row, Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kSlower);
  EXPECT_THAT(row.reason,
              AllOf(HasSubstr("A/A not checked (no arm raw_again)"), HasSubstr("control not checked (no arm injected)")));
}

TEST(Verdict, ProcessCpuNeverBearsOne) {
  const auto row = judged(row_with(3, 4), Clock::kProcessCpu);
  EXPECT_EQ(row.verdict, "");
  EXPECT_THAT(row.reason, HasSubstr("never a verdict clock"));
}

TEST(Verdict, CpuTimeAloneDoesNotMakeAnArmThatAddsCollectivesEquivalent) {
  auto beside = evidence();
  beside.extra_collectives_per_step = 1;
  EXPECT_EQ(judged(row_with(-1, 1), Clock::kThreadCpu, beside).verdict, verdict::kAmbiguous);
  EXPECT_EQ(judged(row_with(-1, 1), Clock::kWall, beside).verdict, verdict::kEquivalent);
}

TEST(Verdict, TooFewPairsAreSaid) {
  auto row = row_with(3, 4);
  row.overhead_us_lo = row.overhead_us_hi = kNotMeasured;
  row.pairs = 4;
  row.launches = 0;
  EXPECT_THAT(judged(row).reason, HasSubstr("fewer than six pairs in any launch (4 pairs)"));
  row.pairs = 0;
  EXPECT_THAT(judged(row).reason, HasSubstr("no pair was measured"));
}

}  // namespace
}  // namespace ddpbench
