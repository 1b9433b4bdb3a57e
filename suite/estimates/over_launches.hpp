#pragma once
#include <vector>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Holds one value per pair, launch by launch; none is empty.
using LaunchPairs = std::vector<std::vector<double>>;

// Returns the location of the pairs (docs/measurement.md, "Estimates"): of one launch the Hodges-Lehmann estimate with its
// Wilcoxon interval; of two and more the mean of the launches' estimates with its t-interval, since only other launches show what
// a launch draws once (memory layout, placement). Where six and more pairs of one launch are too few for Wilcoxon's interval at a
// higher confidence it is as wide as Student's. `n` counts pairs or launches.
Estimate location_over_launches(const LaunchPairs& launches, double confidence = kDefaultConfidence);

}  // namespace ddpbench
