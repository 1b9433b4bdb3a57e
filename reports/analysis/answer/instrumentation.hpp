#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// What the probe's own marks and clocks cost, from the arms that are their reference without them (`raw-nvtx`, `raw-nvtx-timers`): the reference
// less such an arm, on the primary clock; a sentence per arm and cell. Every arm pays it alike, so that no difference holds it.
std::vector<std::string> instrumentation_words(const Study& study, const std::vector<OverheadRow>& rows);

// The same as a clause of the answer, of the barest arm of one family of this cell; "" where it has none.
std::string instrumentation_clause(const Study& study, const std::vector<OverheadRow>& rows, const Cell& cell,
                                   const std::string& reference);

}  // namespace ddpbench
