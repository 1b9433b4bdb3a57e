#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Says what the probe's own marks and clocks cost, from the arms that are their reference without them (`raw-nvtx`,
// `raw-nvtx-timers`): the reference less such an arm, on the primary clock; a sentence per arm and cell. Every arm pays it alike,
// so that no difference holds it.
std::vector<std::string> instrumentation_phrase(const Study& study, const std::vector<OverheadRow>& rows);

}  // namespace ddpbench
