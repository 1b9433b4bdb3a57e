#pragma once
#include <string>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Returns "costs at most 2.3 % (18 us)", "saves at most 1 % (6 us)": what holds for the whole cost; percent of the step that the
// user waits for.
std::string bound_phrase(const OverheadRow& row);
// Says whether the same code twice differs beyond chance.
bool aa_excludes_zero(const OverheadRow& row);
// Returns the farther bound of that difference without its sign, us; NaN: no A/A interval.
double farther_aa_us(const OverheadRow& row);

// Says whether the verdict is EQUIVALENT, SLOWER or FASTER.
bool is_resolved(const OverheadRow& row);
bool has_estimate(const OverheadRow& row);  // whether it has an estimate that a gate has not refused

// Returns the lower bound of the overhead, percent, to sort the worst rows first; infinity where there is none, so that a row
// without an estimate hides no cost.
double badness(const OverheadRow& row);

// Returns "+1.6 us [+1.2, +2.0] per step of host CPU (+0.26 % [..] of the step of 620 us)": never a relative figure without its
// absolute.
std::string overhead_phrase(const OverheadRow& row);

// Returns " and +0.4 us [+0.3, +0.5] per step for work of every n-th step"; "" where the arm has no such work.
std::string periodic_phrase(const OverheadRow& row);

// Returns "host CPU" for "thread_cpu".
std::string clock_phrase(const std::string& clock);

}  // namespace ddpbench
