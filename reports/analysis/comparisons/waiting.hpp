#pragma once
#include <string>

#include "reports/analysis/samples/study.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Returns what of an arm's cost on the awaited clock is no CPU time of the ranks' main threads (mean over the ranks): seconds per
// step, super-block by super-block the difference of the two costs, over super-blocks and launches as overhead_us is
// (Hodges-Lehmann; over launches t). NaN: one of the two clocks was not read, or no launch has six such pairs.
Estimate added_waiting_s(const Cell& cell, const std::string& arm);

}  // namespace ddpbench
