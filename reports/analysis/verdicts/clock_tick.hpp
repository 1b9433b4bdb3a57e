#pragma once
#include <string>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// What a clock cannot tell apart in the steps of an arm, seconds: one that ticks coarsely gives few values again and again, and this is the smallest distance
// between two of them. 0: it tells the steps apart, or is not read at every step.
double tick_s(const Cell& cell, const std::string& arm, Clock clock);

}  // namespace ddpbench
