#pragma once
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Every arm but the reference, controls too, of every cell, on every clock that was measured: estimate, interval and p (compare),
// A/A interval, control, verdict, and on the primary clock what the budget says. p is adjusted over all arms that are no controls and all
// cells of a clock. Launches with fewer than six pairs are left out.
std::vector<OverheadRow> overhead_rows(const Study& study);

// The reference's step on `clock`: median over super-blocks of the block median, s. NaN: none.
double reference_step_s(const Cell& cell, Clock clock);

// device where it was measured, else thread_cpu (MEASUREMENT 9).
Clock primary_clock(const Study& study);

}  // namespace ddpbench
