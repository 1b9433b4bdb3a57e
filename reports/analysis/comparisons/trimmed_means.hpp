#pragma once
#include <vector>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// The difference of two groups' 20 % trimmed means with its t-interval and two-sided p, by winsorized variances and Welch's degrees
// of freedom, rounded down (Yuen 1974): the tails that make a difference of means wide are cut off, and no sorting is needed.
struct GroupDifference {
  Estimate difference;  // of `group` over `rest`; n: values of the group
  double p = kNotMeasured;
};

// NaN where a group has fewer than six values or neither varies at all. Every value is finite.
GroupDifference difference_of_trimmed_means(std::vector<double> group, std::vector<double> rest, double confidence);

}  // namespace ddpbench
