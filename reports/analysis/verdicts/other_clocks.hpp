#pragma once
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Takes back what one clock calls equal or accepted and another one contradicts (docs/measurement.md, "One clock and the
// others"). Of the judged rows of a study:
//  - EQUIVALENT and ACCEPT are taken back (AMBIGUOUS, UNDECIDED) where another clock of what the user waits for has the arm
//    surely beyond ±m, or beyond the budget: its interval lies wholly there;
//  - EQUIVALENT of host CPU, which does not see waiting, is taken back where the study's primary clock does not say so too.
//
// `reason` names the other clock and its figure.
void hold_against_other_clocks(const Study& study, std::vector<OverheadRow>& rows);

}  // namespace ddpbench
