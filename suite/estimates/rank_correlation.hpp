#pragma once
#include <span>

namespace ddpbench {

// Returns Spearman's rank correlation of the values with their places: 1 where they only grow. Equal values share the mean of
// their ranks. NaN: fewer than two values, or all equal. Every value is finite.
double correlation_with_order(std::span<const double> values);

}  // namespace ddpbench
