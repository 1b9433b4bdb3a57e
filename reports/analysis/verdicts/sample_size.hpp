#pragma once
#include <cstdint>
#include <string>

#include "suite/base/not_measured.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Holds what a row's scatter and times were.
struct VarianceComponents {
  double pair_us = kNotMeasured;    // standard error of a launch's estimate times the root of its pairs
  double launch_us = kNotMeasured;  // standard deviation between launches; NaN: one launch
  double super_block_s = kNotMeasured;
  double set_up_s = kNotMeasured;    // of a launch
  double most_pairs = kNotMeasured;  // that fit the cap on a launch
  double confidence = kDefaultConfidence;
};

// Holds launches and pairs that would give the estimate a wanted half-width, in the least time.
struct SampleSizePlan {
  double launches = kNotMeasured, pairs = kNotMeasured, minutes = kNotMeasured;  // pairs: of each launch
  bool takes_launches_as_equal = false;  // one was measured: what they differ by is not known
  bool is_known() const { return launches == launches; }
  // Pairs: of all launches together.
  bool needs_more_than(std::int64_t has_launches, std::int64_t has_pairs) const {
    return launches > static_cast<double>(has_launches) || launches * pairs > static_cast<double>(has_pairs);
  }
};

// Returns the cheapest plan. The variance of the mean of L launches of n pairs is (b² + p²/n) / L, its time L (s + n t); the
// cheapest n is (p / b) sqrt(s / t) (Cochran 1977, 10.6), L follows from the half-width with Student's quantile. With one launch,
// whose b is not known, more pairs of one launch.
SampleSizePlan cheapest(const VarianceComponents& scatter, double half_width_us);

// Returns "about 6 launches of 400 pairs (12 minutes) would settle it"; of one launch "…, if launches are alike"; "" where
// nothing is known.
std::string settling_phrase(const SampleSizePlan& settling);

}  // namespace ddpbench
