#pragma once
#include <vector>

#include "reports/estimates/estimate.hpp"

namespace ddpbench {

// One value per pair, launch by launch; none is empty.
using LaunchPairs = std::vector<std::vector<double>>;

// The location of the pairs (MEASUREMENT 6): of one launch Hodges-Lehmann's with its Wilcoxon interval; of two and more the mean of the
// launches' own with its t-interval, for what a launch draws once (memory layout, placement) only other launches can show. `n` counts
// pairs or launches.
Estimate location_over_launches(const LaunchPairs& launches, double confidence = kDefaultConfidence);

// Two-sided p of the same that the location is 0: Wilcoxon's signed-rank test, over several launches the t-test of their locations.
double p_over_launches(const LaunchPairs& launches);

// The mean with its t-interval, over several launches that of their means: for block means, where a robust centre would hide again what
// they are there to show.
Estimate mean_over_launches(const LaunchPairs& launches, double confidence = kDefaultConfidence);

}  // namespace ddpbench
