#pragma once
#include "reports/analysis/verdicts/gates.hpp"

namespace ddpbench {

// A difference is believed when its p, adjusted by Holm for all comparisons on the clock, is below this.
inline constexpr double kSignificance = 0.05;

// Fills verdict and reason from the estimates and p values that the row holds: first the gates, then the interval against ±m
// (docs/measurement.md, "Verdicts"). Where a budget was given and the clock is the answer's, judge_budget says the rest.
void judge_margin(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence);

// Fills budget_percent and budget_verdict, and adds to the reason, where evidence.budget_percent is not 0: ACCEPT (the whole
// interval of overhead_percent is up to the budget), REJECT (all of it lies beyond), else UNDECIDED with what is still needed.
// The interval decides against the budget as it does against m. Only the gates count that a wide margin leaves: there is an interval, and
// neither A/A nor the control is biased.
void judge_budget(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence);

}  // namespace ddpbench
