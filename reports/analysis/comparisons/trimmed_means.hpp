#pragma once
#include <vector>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Holds the difference of two groups' 20 % trimmed means with its t-interval and two-sided p, by winsorized variances and Welch's
// degrees of freedom, rounded down (Yuen 1974): the tails that make a difference of means wide are cut off.
struct GroupDifference {
  Estimate difference;  // of `group` over `rest`; n: values of the group
  double p = kNotMeasured;
};

// Compares two groups; NaN where one has fewer than six values or neither varies at all. Every value must be finite.
GroupDifference difference_of_trimmed_means(std::vector<double> group, std::vector<double> rest, double confidence);

}  // namespace ddpbench
