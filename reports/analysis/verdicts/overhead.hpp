#pragma once
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Every arm but the references, controls too, of every cell, against the reference of its family, on every clock that this was measured
// on: estimate, interval and p (compare), A/A interval and control of the family, verdict, and on the primary clock what the budget says.
// p is adjusted over all subjects and all cells of a clock. Launches with fewer than six pairs are left out.
std::vector<OverheadRow> overhead_rows(const Study& study);

}  // namespace ddpbench
