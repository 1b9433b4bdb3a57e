#pragma once
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Compares every arm but the references, controls too, of every cell, with the reference of its family, on every clock that this
// was measured on: estimate, interval and p (compare), A/A interval and control of the family, verdict, and on the primary clock
// what the budget says. Adjusts p over all subjects and all cells of a clock. Leaves out launches with fewer than six pairs.
std::vector<OverheadRow> overhead_rows(const Study& study);

}  // namespace ddpbench
