#pragma once
#include <string>
#include <vector>

#include "reports/analysis/findings/findings.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// The answer line (docs/measurement.md, "Long steps"): the arm's constant from the cell with the shortest step, what it
// is of the longest cell's step, and what was measured there directly. About the first arm that is a whole wrapper,
// else the first of a wrapper's, else the first subject; with its step-time law, where there is one. One such clause for every family of
// arms. Says what failed and what was not resolved.
std::string answer_line(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings);

// One sentence per launch that did not end well, then what differs between launches and nobody asked for, factors that miss their
// identity, one per cell and arm on the primary clock, what got worse first, then carry-over and instrumentation.
std::vector<std::string> headlines(const Study& study, const std::vector<OverheadRow>& rows, const Findings& findings);

// "" or why there is nothing to draw.
std::string why_nothing(const Study& study);

}  // namespace ddpbench
