#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/verdicts/verdict.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

// A step of a millisecond: 1 % is 10 us. CPU time is half of it.
OverheadRow row_of_percent(double percent_lo, double percent_hi) {
  OverheadRow row;
  row.arm = "trainer";
  row.overhead_us.value = row.overhead_us_of_means = 5 * (percent_lo + percent_hi);
  row.overhead_us.lo = row.overhead_us_of_means_lo = 10 * percent_lo;
  row.overhead_us.hi = row.overhead_us_of_means_hi = 10 * percent_hi;
  row.step_us = 1000;
  row.reference_step_us = 500;
  row.margin_us = 5;
  row.at_least_us = row.overhead_us.lo;
  row.at_most_us = row.overhead_us.hi;
  row.p_budget_holm = 0.001;
  row.pairs = 100;
  row.launches = 5;
  row.reason = "said before";
  return row;
}

Evidence with_budget(double percent) {
  Evidence evidence;
  evidence.budget_percent = percent;
  return evidence;
}

OverheadRow judged_by_budget(OverheadRow row, const Evidence& evidence = with_budget(2)) {
  judge_budget(row, entry_of(Clock::kThreadCpu), evidence);
  return row;
}

TEST(Budget, IsAShareOfTheStepThatTheUserWaitsFor) {
  EXPECT_EQ(judged_by_budget(row_of_percent(-1, 2)).budget_verdict, budget_verdict::kAccept);
  EXPECT_EQ(judged_by_budget(row_of_percent(2, 3)).budget_verdict, budget_verdict::kUndecided);
  EXPECT_EQ(judged_by_budget(row_of_percent(2.01, 3)).budget_verdict, budget_verdict::kReject);
  EXPECT_EQ(judged_by_budget(row_of_percent(1, 3)).budget_verdict, budget_verdict::kUndecided);
  EXPECT_EQ(judged_by_budget(row_of_percent(1, 2)).budget_percent, 2);
  EXPECT_THAT(judged_by_budget(row_of_percent(1, 2)).reason, HasSubstr("said before; budget of 2 % of the step: ACCEPT"));
}

TEST(Budget, TheMeanStepMustBeWithinItToo) {
  auto row = row_of_percent(0, 1);
  row.overhead_us_of_means_hi = 30;
  EXPECT_EQ(judged_by_budget(row).budget_verdict, budget_verdict::kUndecided);
  row.overhead_us_of_means_lo = 21;
  EXPECT_EQ(judged_by_budget(row).budget_verdict, budget_verdict::kReject);
}

TEST(Budget, UndecidedCarriesItsBoundAndTheWayOut) {
  auto beside = with_budget(2);
  beside.settling = {3, 400, 2};
  EXPECT_THAT(
      judged_by_budget(row_of_percent(0.5, 2.5), beside).reason,
      HasSubstr("UNDECIDED, between +0.50 % and +2.5 % of the step: costs at most 2.5 % (25 us); about 3 launches of 400 pairs"));
}

TEST(Budget, WhatMayBeChanceAmongManyDecidesNothing) {
  auto row = row_of_percent(0, 1);
  row.p_budget_holm = 0.03;
  EXPECT_EQ(judged_by_budget(row).budget_verdict, budget_verdict::kUndecided);
}

TEST(Budget, WithoutOneNothingIsSaid) {
  const auto row = judged_by_budget(row_of_percent(1, 2), with_budget(0));
  EXPECT_EQ(row.budget_verdict, "");
  EXPECT_TRUE(std::isnan(row.budget_percent));
  EXPECT_EQ(row.reason, "said before");
}

TEST(Budget, WhatCannotBeTrustedDecidesNothing) {
  auto beside = with_budget(2);
  beside.aa = {"raw_again", true};
  auto row = row_of_percent(0, 1);
  row.aa_lo = -20;  // wide, but it holds 0: the interval against the budget already paid for the width
  row.aa_hi = 15;
  EXPECT_EQ(judged_by_budget(row, beside).budget_verdict, budget_verdict::kAccept);
  row.aa_lo = 6;  // the same code differs from itself: what it differs by is allowed for
  EXPECT_EQ(judged_by_budget(row, beside).budget_verdict, budget_verdict::kUndecided);

  beside = with_budget(2);
  beside.control = {"injected", true};
  row = row_of_percent(3, 4);
  row.injected_true_us = 100;
  row.injected_us = 150;
  beside.control_lo_us = 104;
  beside.control_hi_us = 196;
  EXPECT_EQ(judged_by_budget(row, beside).budget_verdict, budget_verdict::kReject);
  beside.control_lo_us = 106;  // as much as 50 % too large: 3 % may be 2 %
  EXPECT_EQ(judged_by_budget(row, beside).budget_verdict, budget_verdict::kUndecided);
  beside.control_lo_us = 160;
  EXPECT_THAT(judged_by_budget(row, beside).reason,
              HasSubstr("UNDECIDED, the positive control is off: 150 us found of 100 us injected"));

  row = row_of_percent(3, 4);
  row.overhead_us.lo = kNotMeasured;
  row.pairs = 4;
  EXPECT_EQ(judged_by_budget(row).budget_verdict, budget_verdict::kUndecided);
}

}  // namespace
}  // namespace ddpbench
