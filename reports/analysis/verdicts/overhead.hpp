#pragma once
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// A row for every arm but the reference (controls too) of every cell, on every clock that was measured: estimate, interval and p, cost of
// work of every n-th step, A/A interval, control, verdict, and on the primary clock the budget's verdict. p is adjusted over all arms of
// a clock that are neither controls nor probes, in all cells. Launches with fewer than six pairs are left out.
std::vector<OverheadRow> overhead_rows(const Study& study);

// The reference's step on the clock, in seconds: median over super-blocks of the block median. NaN: none.
double reference_step_s(const Cell& cell, Clock clock);

// device where it was measured, else thread_cpu (docs/measurement.md, "Clocks").
Clock primary_clock(const Study& study);

}  // namespace ddpbench
