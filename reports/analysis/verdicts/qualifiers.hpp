#pragma once
#include <string>
#include <vector>

#include "reports/analysis/comparisons/comparison.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// A phrase that rests on a test stands where its p is below this: with eight of them for each of many rows, 5 % would say
// something everywhere.
inline constexpr double kQualifierSignificance = 0.001;
// Returns what a reader of the row should know beside its verdict, a phrase each: an A/A offset, invalid times, a share of
// disturbed pairs that moves the estimate, neighbours, a trend along the run, launches that differ, other discarded steps, a
// wider scatter. The row holds its estimates.
std::vector<std::string> qualifiers(const OverheadRow& row, const Comparison& comparison);

}  // namespace ddpbench
