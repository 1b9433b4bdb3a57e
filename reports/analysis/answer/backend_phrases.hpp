#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/findings/network/backend_shares.hpp"

namespace ddpbench {

// Says, on each number of ranks, with the buckets at which any backend's step is shortest, how much longer a step takes over each
// other backend, with its buckets alone and beside the compute; then of what each backend's communication is made. A sentence
// each. What is not resolved is said as its interval.
std::vector<std::string> backend_sentences(std::span<const BackendShareRow> rows);

}  // namespace ddpbench
