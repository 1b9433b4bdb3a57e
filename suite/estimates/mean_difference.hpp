#pragma once
#include <span>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Says how far two means lie apart, and what judges it: Student's t with `degrees` degrees of freedom. NaN: too few values for an
// error.
struct MeanDifference {
  double value = kNotMeasured;
  double standard_error = kNotMeasured;
  int degrees = 0;
  std::size_t n = 0;  // differences, or the values of the smaller sample

  Estimate interval(double confidence) const;
  double p_above(double bound) const;  // one-sided, that the truth is at most `bound`, against more
  double p_below(double bound) const;  // that it is at least `bound`, against less
};

// Returns the mean of paired differences, with n - 1 degrees of freedom.
MeanDifference mean_of_differences(std::span<const double> differences);

// Returns the mean of `sample` less that of `reference`, whose variances may differ (Welch 1947); rounds Satterthwaite's degrees
// of freedom down.
MeanDifference difference_of_means(std::span<const double> sample, std::span<const double> reference);

}  // namespace ddpbench
