#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Returns one sentence per launch that did not end well, then what differs between launches and nobody asked for, factors that
// miss their identity, one per cell and arm on the primary clock, what got worse first, then carry-over and instrumentation.
std::vector<std::string> headlines(const Findings& findings);

}  // namespace ddpbench
