#pragma once
#include "reports/analysis/verdicts/gates.hpp"

namespace ddpbench {

// Fills verdict, reason and the bounds of the cost from the estimates and adjusted p that the row holds (docs/measurement.md,
// "Verdicts"): first the gates, then whether the cost is inside ±m, then whether it differs from nothing. Where a budget was
// given and the clock is the answer's, judge_budget says the rest.
void judge_margin(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence);

// Fills budget_percent and budget_verdict, and adds to the reason, where evidence.budget_percent is not 0: ACCEPT (the intervals
// of centre and mean are up to the budget, a share of step_us), REJECT (one of them lies beyond it), else UNDECIDED.
void judge_budget(OverheadRow& row, const ClockEntry& clock, const Evidence& evidence);

}  // namespace ddpbench
