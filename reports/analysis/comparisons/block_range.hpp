#pragma once
#include <string>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Returns how far an arm's steps lie apart within a block, longest less shortest: the median over its blocks, seconds (over the
// ranks as block_series has it). NaN: its steps were not told apart on the clock.
double block_range_s(const Cell& cell, const std::string& arm, Clock clock);

}  // namespace ddpbench
