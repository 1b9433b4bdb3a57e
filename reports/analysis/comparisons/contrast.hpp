#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "suite/base/interval_estimate.hpp"

namespace ddpbench {

// Holds an arm's share in a contrast: {{"trainer", 1}, {"raw", -1}} is what trainer costs over raw.
struct Term {
  std::string arm;
  double weight;
};

// Holds a weighted sum of the arms' block medians within each super-block, estimated over the super-blocks that have all of them:
// Hodges-Lehmann with its Wilcoxon interval, over several launches the mean of their estimates with its t-interval. Microseconds.
struct Contrast {
  Estimate us;
  std::int64_t pairs = 0, launches = 0;
};
// Estimates a contrast; NaN where no launch has six super-blocks with all arms: launches with fewer are left out. `confidence`:
// the cell's where none is given.
Contrast contrast(const Cell& cell, std::span<const Term> terms, Clock clock, std::optional<double> confidence = {});

}  // namespace ddpbench
