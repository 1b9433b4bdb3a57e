#pragma once
#include <vector>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Returns the median with the interval between two order statistics: x_(k) to x_(n-k+1), k the largest with P(B <= k-1) <= (1 -
// confidence)/2 for a binomial B of n fair tosses (Hollander, Wolfe & Chicken 2014, 3.6). Gives bounds from six values. Every
// value is finite.
Estimate median_interval(std::vector<double> values, double confidence);

}  // namespace ddpbench
