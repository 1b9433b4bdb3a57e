#pragma once
#include <vector>

#include "reports/estimates/estimate.hpp"

namespace ddpbench {

// One value per pair, launch by launch; none is empty.
using LaunchPairs = std::vector<std::vector<double>>;

// The location of the pairs (docs/measurement.md, "Estimates"): of one launch the Hodges-Lehmann estimate with its Wilcoxon interval; of
// two and more the mean of the launches' estimates with its t-interval, since only other launches show what a launch draws once (memory
// layout, placement). `n` counts pairs or launches.
Estimate location_over_launches(const LaunchPairs& launches, double confidence = kDefaultConfidence);

// Two-sided p of the same that the location is 0: Wilcoxon's signed-rank test, over several launches the t-test of their locations.
double p_over_launches(const LaunchPairs& launches);

// The mean with its t-interval; over several launches the mean of their means. For block means: a robust centre would hide what they are
// there to show.
Estimate mean_over_launches(const LaunchPairs& launches, double confidence = kDefaultConfidence);

}  // namespace ddpbench
