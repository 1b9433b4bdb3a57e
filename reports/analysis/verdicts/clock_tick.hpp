#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Returns what a clock cannot tell apart in the steps of `arms` (a reference, and those that are compared with it), seconds: one
// that ticks coarsely gives few values again and again, and this is the smallest distance between two of them. Where the
// reference has one value alone, the others tell; where all have the same one it is that value: the tick may be as long. 0: the
// clock tells the steps apart, or is not read at every step.
double tick_s(const Cell& cell, const std::vector<std::string>& arms, Clock clock);

}  // namespace ddpbench
