#pragma once
#include <string>

#include "reports/analysis/samples/clocks.hpp"
#include "reports/analysis/samples/study.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Returns what an arm's work of every n-th step costs per step, seconds: the mean of its events over n, summed over its works,
// with a t-interval over the events, or over the launches where there are several. CPU time is the mean over ranks. On a clock
// that sees waiting all wait for the rank whose events take longest: of several ranks the one with the largest mean counts, with
// an interval that holds for all of them together (Bonferroni). A mean of largest events would take scatter for a cost. NaN: the
// arm has no such work, or the clock no such metric.
Estimate periodic_cost_s(const Cell& cell, const std::string& arm, const ClockEntry& clock);

// Says whether the arm has such work in any launch, timed or not: a launch that was stopped early has not timed it yet.
bool has_periodic_work(const Cell& cell, const std::string& arm);

// Adds to a cost of every step that of the row's work of every n-th step where there is some. Microseconds.
Estimate with_periodic(const Estimate& every_step, const OverheadRow& row);

// Returns all that the row's arm costs per step, microseconds: the work of every step and, where there is some, that of every
// n-th.
Estimate whole_us(const OverheadRow& row);

// Returns the same of the mean step.
Estimate mean_whole_us(const OverheadRow& row);

// Says whether some steps cost what the median one does not: the mean step's interval lies above by more than the margin. Then
// the verdict, and what is told, rest on the mean.
bool rests_on_mean(const OverheadRow& row);

// Widens the bounds by what the positive control is off (control_factor).
Estimate by_control(const Estimate& estimate, const OverheadRow& row);
Estimate by_control(const Estimate& estimate, double least_factor, double most_factor);  // 1 or less, 1 or more

// Returns the cost that is told: of the median step, or of the mean one where the row rests on it; with bounds that allow for the
// positive control.
Estimate told_us(const OverheadRow& row);

}  // namespace ddpbench
