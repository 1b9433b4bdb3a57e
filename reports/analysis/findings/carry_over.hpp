#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Tells whether what ran before an arm's block, or before the reference's beside it, changes their paired difference: the
// discarded steps are there to wash that out. Compares the super-blocks after `previous` with all others, differences about their
// launch's median. Microseconds.
struct CarryOverRow {
  std::string cell_id, arm, before, previous, clock;  // before: the arm or its reference, whose block it is
  Estimate effect_us;
  std::int64_t super_blocks = 0, others = 0;       // others: in which something else ran before
  double p = kNotMeasured, p_holm = kNotMeasured;  // p_holm: over all rows
  bool stands_out = false;                         // p_holm is below 1 - confidence
};

// Makes the rows of every arm but the references, on the primary clock and on wall; empty where no launch knows its blocks'
// order.
std::vector<CarryOverRow> carry_over_rows(const Study& study);
template <>
std::vector<CarryOverRow> make_finding(const Findings& findings);

// Returns one sentence: what stands out, else how large a carry-over could be and stay unseen; "" where nothing was compared.
std::string carry_over_phrase(const Study& study, const std::vector<CarryOverRow>& rows);

}  // namespace ddpbench
