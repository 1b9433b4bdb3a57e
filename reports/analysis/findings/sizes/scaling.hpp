#pragma once
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Pairs a cell with the smallest world size that differs from it in nothing but ranks (and, for strong scaling, in the batch size
// per rank that keeps the global one).
struct ScalingPair {
  const Cell* cell;
  const Cell* reference;  // nullptr: no other world size was planned
  const char* mode;       // "strong", "weak"; "" without a reference
};

// Returns every cell once, or once per mode.
std::vector<ScalingPair> scaling_pairs(const Study& study);

// Makes scaling.csv: every pair, every arm that has times on the wall clock.
std::vector<ScalingRow> scaling_rows(const Study& study);
template <>
std::vector<ScalingRow> make_finding(const Findings& findings);

}  // namespace ddpbench
