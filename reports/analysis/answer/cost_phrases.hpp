#pragma once
#include <string>
#include <vector>

#include "reports/analysis/answer/answered_cells.hpp"
#include "reports/analysis/findings/disturbances.hpp"
#include "reports/analysis/findings/instructions.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Holds what is answered: an arm of a setting, in the cell where it was measured best.
struct Subject {
  const Span& span;
  const OverheadRow& row;         // on the primary clock
  const OverheadRow* at_longest;  // the same arm where the step is longest; null: not measured
  const OverheadRow* on_cpu;      // host CPU of the same cell; null: not measured
  const OverheadRow* on_wall;     // the wall clock of the same cell; null: not measured
  bool has_other_cells;
};

// Returns "trainer costs 39 us per step over raw DDP, between 38 and 40 us.", "trainer costs at most 78 us per step over raw DDP,
// and perhaps nothing."
std::string cost_sentence(const Subject& subject);

// Say where another clock surely says another figure than the one that is told; each "" where it does not.
std::string wall_sentence(const Subject& subject);
std::string cpu_sentence(const Subject& subject);  // of what is open: the host CPU time that it surely costs

// Returns "About 5 launches of 40 pairs (20 minutes) would settle it.", "This was seen over 5 launches."
std::string sure_sentence(const Subject& subject);

// Says what instructions show where time leaves open what an arm costs; "" where they show nothing.
std::string instruction_sentence(const Subject& subject, const std::vector<InstructionRow>& rows);

// Returns "a cost of 38 us would nearly always be seen, one of 19 us mostly".
std::string seen_phrase(const OverheadRow& row);

// Returns "the same code twice agrees within ±6 us", "a delay of 100 us was found as 108 us (104 to 112)"; none without controls.
// `control`: the row of the positive control; null: not measured.
std::vector<std::string> control_phrase(const OverheadRow& row, const OverheadRow* control);

// Returns "other programs disturbed 40 % of the pairs; the time that they took is left out"; "" where nobody knows.
std::string disturbed_phrase(const OverheadRow& row, const Disturbances& found);

std::string launches_phrase(std::int64_t launches);  // "one launch", "5 launches"

}  // namespace ddpbench
