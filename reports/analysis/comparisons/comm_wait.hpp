#pragma once
#include <string>

#include "reports/analysis/samples/study.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Returns for how long an arm's ranks stand in collectives beyond its reference's, seconds per step: the mean over ranks of a
// block's steps, less that of the reference's block beside it, over super-blocks and launches as overhead_us is (Hodges-Lehmann;
// over launches t). NaN: the device computes, so that the host's wait is not what collectives take, or no launch has six such
// pairs.
Estimate added_comm_wait_s(const Cell& cell, const std::string& arm);

}  // namespace ddpbench
