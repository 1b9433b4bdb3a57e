#pragma once
#include <string>

#include "reports/analysis/answer/answered_cells.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Says where the share of its longest step that an arm costs comes from. reported_share() alone decides it: sentences,
// summary.json and figures of merit take it from here.
enum class ShareSource {
  kMeasured,  // the row of the longest step itself
  kLine,      // estimated, by the line through the arm's costs at several step lengths
  kConstant,  // estimated: the cost of the shortest step, as if it stayed the same
};
const char* name_of(ShareSource source);  // "measured", "line", "constant"

// Holds which share of its longest step an arm costs.
struct ReportedShare {
  ShareSource source = ShareSource::kMeasured;
  // Percent of the longest step. An open row, or one that is equal, has bounds alone: then `value` is no number.
  Estimate percent;
  const OverheadRow* at_longest = nullptr;  // of an estimate: what the longest step's own row leaves open; nullptr: it has none
  bool is_open = false;                     // measured on the longest step, without a verdict there
};
bool is_known(const ReportedShare& share);  // whether it has bounds

// Chooses the share. `row`: the arm where the step is shortest; `at_longest`: where it is longest, nullptr where it was not
// measured. A row with a verdict is told before any estimate, and so is an open one whose bounds rule the estimate out or are no
// wider.
ReportedShare reported_share(const Span& span, const OverheadRow& row, const OverheadRow* at_longest);

// Returns "5.0 % (4.8 to 5.2 %)"; where a bound is more than twice the figure, or less than half of it, the bounds alone:
// "between 0.75 and 4.9 %"; "at most 3.0 %" where it may be none. Of what saves time the same, without a sign.
std::string percent_phrase(const Estimate& percent);

// Returns "That is 5.0 % (4.8 to 5.2 %) of its step of 100 us."; "" where nothing is known.
std::string share_sentence(const Span& span, const OverheadRow& row, const ReportedShare& share);

}  // namespace ddpbench
