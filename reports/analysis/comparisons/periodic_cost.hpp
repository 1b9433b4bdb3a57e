#pragma once
#include <string>

#include "reports/analysis/samples/clocks.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/estimates/estimate.hpp"

namespace ddpbench {

// What an arm's work of every n-th step costs per step, seconds: the mean of its events over n, summed over its works, with a t-interval
// over the events, or over the launches where there are several. Of an event the slowest rank counts. NaN: the arm has no such work, or
// the clock no such metric.
Estimate periodic_cost_s(const Cell& cell, const std::string& arm, const ClockEntry& clock);

// Whether the arm has such work in any launch, timed or not: a launch that was stopped early has not timed it yet.
bool has_periodic_work(const Cell& cell, const std::string& arm);

// All that the row's arm costs per step, microseconds: the work of every step and, where there is some, that of every n-th.
Estimate whole_us(const OverheadRow& row);

}  // namespace ddpbench
