#include "reports/analysis/verdicts/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A step of 400 us, of which ±m is 2 us; every gate passes, and chance explains nothing.
OverheadRow row_with(double lo, double hi) {
  OverheadRow row;
  row.arm = "trainer";
  row.overhead_us.value = row.overhead_us_of_means = 0.5 * (lo + hi);
  row.overhead_us.lo = row.overhead_us_of_means_lo = lo;
  row.overhead_us.hi = row.overhead_us_of_means_hi = hi;
  row.reference_step_us = row.step_us = 400;
  row.margin_us = 2;
  row.pairs = 100;
  row.launches = 5;
  row.aa_lo = -0.5;
  row.aa_hi = 0.5;
  row.injected_true_us = 100;
  row.injected_us = 104;
  row.p_value = row.p_holm = row.p_equivalent_holm = 0.001;
  row.comparisons = 1;
  return row;
}

Evidence evidence() {
  Evidence evidence;
  evidence.aa = {"raw_again", true};
  evidence.control = {"injected", true};
  evidence.control_lo_us = 102;
  evidence.control_hi_us = 106;
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
  EXPECT_THAT(judged(row_with(0.5, 1.5)).reason, HasSubstr("inside ±2 us; a real difference of +1.0 us [+0.50, +1.5]"));
  EXPECT_EQ(judged(row_with(2.5, 4)).verdict, verdict::kSlower);
  EXPECT_EQ(judged(row_with(2.5, 4)).reason, "beyond ±2 us; host work only");
  EXPECT_EQ(judged(row_with(1, 4)).verdict, verdict::kSlower);
  EXPECT_THAT(judged(row_with(1, 4)).reason, HasSubstr("not all of it beyond"));
  EXPECT_EQ(judged(row_with(-4, -1)).verdict, verdict::kFaster);
  EXPECT_EQ(judged(row_with(-4, -2.5)).verdict, verdict::kFaster);
}

// A wide interval is still a bound, and says what would settle it.
TEST(Verdict, AmbiguousCarriesItsBoundAndTheCheapestWayOut) {
  auto beside = evidence();
  beside.settling = {4, 600, 9};
  const auto row = judged(row_with(-22, 9.2), Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_EQ(
      row.reason,
      "between -5.5 % and +2.3 % of the step: costs at most 2.3 % (9.2 us); about 4 launches of 600 pairs (9.0 minutes) would "
      "settle it");
  EXPECT_EQ(row.at_least_us, -22);
  EXPECT_EQ(row.at_most_us, 9.2);
  EXPECT_DOUBLE_EQ(row.resolution_us, 15.6 + 0.5);
  EXPECT_THAT(judged(row_with(-22, -0.5), Clock::kThreadCpu, beside).verdict, verdict::kFaster);
}

TEST(Verdict, WidthIsNoGate) {
  auto row = row_with(30, 70);
  row.aa_lo = -9;
  row.aa_hi = 8;
  EXPECT_EQ(judged(row).verdict, verdict::kSlower);
  EXPECT_DOUBLE_EQ(judged(row).resolution_us, 20 + 9);
  EXPECT_EQ(judged(row).at_least_us, 30);  // A/A holds 0: nothing is allowed for
}

TEST(Verdict, WithOneLaunchItIsThatLaunchs) {
  auto row = row_with(2.5, 4);
  row.launches = 1;
  EXPECT_THAT(judged(row).reason, HasSubstr("; within this launch only"));
}

TEST(Verdict, AnAaIntervalOutsideTheMarginForbidsEquivalent) {
  auto row = row_with(-1, 1);
  row.aa_hi = 2.5;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
  EXPECT_THAT(judged(row).reason, HasSubstr("inside ±2 us, but the A/A interval [-0.50, +2.5] us is not inside ±2 us"));
  row.aa_lo = row.aa_hi = kNotMeasured;
  EXPECT_THAT(judged(row).reason, HasSubstr("the A/A pair has no estimate"));
}

TEST(Verdict, WhereAaExcludesZeroEveryClaimMustClearItsFartherBound) {
  auto row = row_with(2.5, 4);
  row.aa_lo = 0.2;
  row.aa_hi = 1.5;
  EXPECT_EQ(judged(row).verdict, verdict::kSlower);
  EXPECT_DOUBLE_EQ(judged(row).at_least_us, 1.0);
  EXPECT_DOUBLE_EQ(judged(row).at_most_us, 5.5);
  row.aa_hi = 2.6;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
  EXPECT_THAT(judged(row).reason, HasSubstr("no farther from 0 than the A/A interval"));
}

TEST(Verdict, NoArmIsEquivalentWhoseMeanStepIsNot) {
  auto row = row_with(-1, 1);
  row.overhead_us_of_means_lo = -3;
  row.overhead_us_of_means_hi = 30;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
  EXPECT_THAT(judged(row).reason, HasSubstr("the median step is inside ±2 us, but the mean step [-3.0, +30] us is not"));
  row.overhead_us_of_means = 16;
  row.overhead_us_of_means_lo = 3;
  EXPECT_EQ(judged(row).verdict, verdict::kSlower);
  EXPECT_THAT(judged(row).reason,
              HasSubstr("the mean step costs +16 us [+3.0, +30], the median step +0.0 us: something costs now and then"));
}

TEST(Verdict, OneRankAloneMakesItSlowerAndIsNamed) {
  auto row = row_with(-0.5, 3);
  row.largest_rank = 3;
  row.largest_rank_us.value = 10;
  row.largest_rank_us.lo = 8;
  row.largest_rank_us.hi = 12;
  EXPECT_EQ(judged(row).verdict, verdict::kSlower);
  EXPECT_THAT(judged(row).reason, HasSubstr("on rank 3 alone +10 us [+8.0, +12] (mean over the ranks +1.2 us)"));
  auto beside = evidence();
  beside.ranks_lo_us = -1;
  beside.ranks_hi_us = 2.5;
  row = row_with(-1, 1);
  EXPECT_THAT(judged(row, Clock::kThreadCpu, beside).reason,
              HasSubstr("the farthest of the ranks' own intervals [-1.0, +2.5] us is not inside ±2 us"));
}

TEST(Verdict, WhatMayBeChanceAmongManyIsAmbiguous) {
  auto row = row_with(1, 4);
  row.p_value = 0.02;
  row.p_holm = 0.24;
  row.comparisons = 12;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
  EXPECT_THAT(judged(row).reason,
              HasSubstr("may be chance in 12 comparisons, or what the A/A arm shows too (p = 0.020, by Holm = 0.24)"));
  row = row_with(-4, -1);
  row.p_holm = 0.05;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
  row = row_with(-1, 1);
  row.p_holm = 0.9;
  EXPECT_EQ(judged(row).verdict, verdict::kEquivalent);
  row.p_equivalent_holm = 0.03;
  EXPECT_EQ(judged(row).verdict, verdict::kAmbiguous);
}

TEST(Verdict, WhatIsSeenOnlyWhereTheArmsTouchIsNoCost) {
  auto beside = evidence();
  beside.p_apart_slower = beside.p_apart_mean_slower = 0.4;
  beside.apart = {0.1, -0.5, 0.7, 50};
  beside.p_neighbours = 1e-6;
  const auto row = judged(row_with(2.5, 4), Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_THAT(
      row.reason,
      HasSubstr("not shown in blocks that do not directly follow a block of either arm, +0.10 us [-0.50, +0.70]: one of them "
                "changes the step behind it"));
  EXPECT_EQ(row.at_least_us, -0.5);
  EXPECT_EQ(row.at_most_us, 4);
  beside.p_apart_slower = 0.001;
  EXPECT_EQ(judged(row_with(2.5, 4), Clock::kThreadCpu, beside).verdict, verdict::kSlower);
}

TEST(Verdict, ACauseIsOnlyNamedWhereItShows) {
  auto beside = evidence();
  beside.p_apart_slower = beside.p_apart_mean_slower = 0.4;
  beside.apart = {10, -2, 22, 12};
  beside.p_neighbours = 0.9;
  const auto row = judged(row_with(6, 14), Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_THAT(
      row.reason,
      HasSubstr(
          "not shown in blocks that do not directly follow a block of either arm, +10 us [-2.0, +22]: too few super-blocks"));
}

TEST(Verdict, ASlowSuccessorHidesNoCost) {
  auto beside = evidence();
  beside.apart = {4, 3, 5, 50};
  beside.p_neighbours = 1e-6;
  const auto row = judged(row_with(-0.5, 0.5), Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_EQ(row.at_most_us, 5);
  EXPECT_THAT(
      row.reason,
      HasSubstr("in blocks that do not directly follow a block of either arm the cost [+3.0, +5.0] us is not inside ±2 us"));
}

TEST(Verdict, ABoundBeyondTheIntervalSaysWhose) {
  auto beside = evidence();
  beside.apart = {2, -1, 9, 50};
  beside.p_neighbours = 1e-6;
  const auto row = judged(row_with(-3, 5), Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_EQ(row.at_most_us, 9);
  EXPECT_THAT(row.reason, HasSubstr("(9.0 us), by blocks that do not directly follow a block of either arm"));
  EXPECT_THAT(judged(row_with(-3, 5)).reason, testing::Not(HasSubstr("directly follow")));
}

TEST(Verdict, WorkOfEveryNthStepIsPartOfWhatStandsApart) {
  auto beside = evidence();
  beside.periodic_planned = true;
  beside.apart = {5, 4, 6, 50};
  beside.p_neighbours = 1e-6;
  auto with_events = row_with(0.5, 1.5);
  with_events.periodic_us.value = with_events.periodic_us.lo = with_events.periodic_us.hi = 10;
  EXPECT_EQ(judged(with_events, Clock::kThreadCpu, beside).at_most_us, 16);
}

// Two claims may point two ways; the p of one is not the other's.
TEST(Verdict, NoArmIsFasterWhoseMeanStepCosts) {
  auto costs_now_and_then = row_with(-3, -2.5);
  costs_now_and_then.overhead_us_of_means_lo = 90;
  costs_now_and_then.overhead_us_of_means = 100;
  costs_now_and_then.overhead_us_of_means_hi = 110;
  auto beside = evidence();
  beside.p_slower = 1e-9;
  beside.p_faster = 0.3;
  const auto row = judged(costs_now_and_then, Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kSlower);
  EXPECT_THAT(row.reason, HasSubstr("the mean step costs +100 us"));
  EXPECT_EQ(judged(row_with(-4, -2.5), Clock::kThreadCpu, beside).verdict, verdict::kAmbiguous) << "p is of the other side";
}

TEST(Verdict, ARankThatIsSlowOnlyBehindTheArmIsNotNamed) {
  auto row = row_with(-1, 1);
  row.largest_rank = 1;
  row.largest_rank_us.value = 5;
  row.largest_rank_us.lo = 4;
  row.largest_rank_us.hi = 6;
  auto beside = evidence();
  beside.ranks_lo_us = -1;
  beside.ranks_hi_us = 6;
  beside.p_apart_rank_slower = 0.4;
  EXPECT_EQ(judged(row, Clock::kThreadCpu, beside).verdict, verdict::kAmbiguous);
  beside.p_apart_rank_slower = 0.001;
  EXPECT_EQ(judged(row, Clock::kThreadCpu, beside).verdict, verdict::kSlower);
}

TEST(Verdict, ACoarseClockWidensEveryInterval) {
  auto beside = evidence();
  beside.tick_us = 100;
  EXPECT_EQ(judged(row_with(0, 0), Clock::kThreadCpu, beside).verdict, verdict::kAmbiguous);
  EXPECT_EQ(judged(row_with(0, 0), Clock::kThreadCpu, beside).at_most_us, 100);
  EXPECT_EQ(judged(row_with(300, 320), Clock::kThreadCpu, beside).verdict, verdict::kSlower);
}

TEST(Verdict, InvalidTimesAboveOnePercentAreRefused) {
  auto row = row_with(3, 4);
  row.invalid_percent = 0.9;
  EXPECT_EQ(judged(row).verdict, verdict::kSlower);
  row.invalid_percent = 1.5;
  EXPECT_EQ(judged(row).verdict, verdict::kUnmeasurable);
  EXPECT_THAT(judged(row).reason, StartsWith("1.5 % of the step times are not finite and above 0"));
}

TEST(Verdict, TheDevicesClockHasAControlOfItsOwn) {
  auto beside = evidence();
  EXPECT_EQ(judged(row_with(3, 4), Clock::kDevice).verdict, verdict::kSlower);
  beside.control_lo_us = 160;
  beside.control_hi_us = 170;
  EXPECT_EQ(judged(row_with(3, 4), Clock::kDevice, beside).verdict, verdict::kUnmeasurable);
  beside.control = {"injected+on_device", false};
  EXPECT_THAT(judged(row_with(3, 4), Clock::kDevice, beside).reason,
              HasSubstr("control not checked (no arm injected+on_device)"));
}

OverheadRow with_control(OverheadRow row, double truth, double lo, double hi) {
  auto beside = evidence();
  row.injected_true_us = truth;
  row.injected_us = 0.5 * (lo + hi);
  beside.control_lo_us = lo;
  beside.control_hi_us = hi;
  return judged(row, Clock::kThreadCpu, beside);
}

// Its interval must lie wholly outside of one and a half times the delay, or of two thirds of it.
TEST(Verdict, OnlyAControlThatIsNotFoundMakesItUnmeasurable) {
  EXPECT_EQ(with_control(row_with(3, 4), 100, 60, 300).verdict, verdict::kSlower);
  EXPECT_EQ(with_control(row_with(3, 4), 100, 150, 160).verdict, verdict::kSlower);
  const auto off = with_control(row_with(3, 4), 100, 158, 162);
  EXPECT_EQ(off.verdict, verdict::kUnmeasurable);
  EXPECT_EQ(off.reason, "the positive control is off: 160 us found of 100 us injected [+158, +162] us");
  EXPECT_EQ(with_control(row_with(3, 4), 100, 0, 60).verdict, verdict::kUnmeasurable);
  EXPECT_EQ(with_control(row_with(3, 4), 100, 0, 64).verdict, verdict::kSlower);
  EXPECT_EQ(with_control(row_with(3, 4), 10, 17.5, 18).verdict, verdict::kUnmeasurable);
}

// Outside max(5 %, 2 us) of the delay every interval is divided by as much as the control may be off.
TEST(Verdict, AControlThatIsOffIsAllowedFor) {
  const auto as_it_should = with_control(row_with(-1, 2), 100, 104.9, 110);
  EXPECT_EQ(as_it_should.at_most_us, 2);
  EXPECT_THAT(as_it_should.reason, Not(HasSubstr("off")));
  const auto large = with_control(row_with(3, 6), 100, 106, 120);
  EXPECT_EQ(large.verdict, verdict::kSlower);
  EXPECT_DOUBLE_EQ(large.at_least_us, 2.5);
  EXPECT_EQ(large.at_most_us, 6);
  EXPECT_THAT(large.reason, HasSubstr("the positive control is off: 113 us found of 100 us injected [+106, +120] us, so that "
                                      "every figure may be 20 % too large"));
  const auto small = with_control(row_with(-1.9, 1.9), 100, 80, 94);
  EXPECT_EQ(small.verdict, verdict::kAmbiguous) << "what is found too small may be larger than the margin";
  EXPECT_DOUBLE_EQ(small.at_most_us, 1.9 / 0.8);
  EXPECT_DOUBLE_EQ(small.at_least_us, -1.9 / 0.8);
  EXPECT_THAT(small.reason, HasSubstr("every figure may be 25 % too small"));
  EXPECT_EQ(with_control(row_with(-1.9, 1.9), 100, 106, 120).verdict, verdict::kEquivalent);
}

TEST(Verdict, WallIsGatedOnlyWithTwoCoresPerRank) {
  auto row = row_with(3, 4);
  row.injected_us = 165;
  auto beside = evidence();
  beside.control_lo_us = 160;
  beside.control_hi_us = 170;
  EXPECT_EQ(judged(row, Clock::kWall, beside).verdict, verdict::kSlower);
  EXPECT_THAT(judged(row, Clock::kWall, beside).reason,
              AllOf(HasSubstr("not used for the verdict"), HasSubstr("165 us found of 100"), Not(HasSubstr("host work"))));
  beside.cores_per_rank = 2;
  EXPECT_EQ(judged(row, Clock::kWall, beside).verdict, verdict::kUnmeasurable);
}

TEST(Verdict, AbsentControlsAreCalledNotChecked) {
  auto row = row_with(3, 4);
  auto beside = evidence();
  beside.control_lo_us = beside.control_hi_us = kNotMeasured;
  EXPECT_EQ(judged(row, Clock::kThreadCpu, beside).verdict, verdict::kUnmeasurable);  // planned, but without an estimate
  row.aa_lo = row.aa_hi = row.injected_us = row.injected_true_us = kNotMeasured;
  beside.aa.is_planned = beside.control.is_planned = false;
  row = judged(row, Clock::kThreadCpu, beside);
  EXPECT_EQ(row.verdict, verdict::kSlower);
  EXPECT_THAT(row.reason,
              AllOf(HasSubstr("A/A not checked (no arm raw_again)"), HasSubstr("control not checked (no arm injected)")));
  EXPECT_DOUBLE_EQ(row.resolution_us, 0.5);
}

TEST(Verdict, ProcessCpuNeverBearsOne) {
  const auto row = judged(row_with(3, 4), Clock::kProcessCpu);
  EXPECT_EQ(row.verdict, "");
  EXPECT_THAT(row.reason, HasSubstr("gives no verdict"));
}

TEST(Verdict, TooFewPairsAreSaid) {
  auto row = row_with(3, 4);
  row.overhead_us.lo = row.overhead_us.hi = kNotMeasured;
  row.pairs = 4;
  row.launches = 0;
  EXPECT_THAT(judged(row).reason, HasSubstr("fewer than six pairs in any launch (4 pairs)"));
  row.pairs = 0;
  EXPECT_THAT(judged(row).reason, HasSubstr("no pair was measured"));
}

}  // namespace
}  // namespace ddpbench
