#pragma once
#include <vector>

namespace ddpbench {

// Returns the middle value, or the mean of the middle two; NaN for no value. No value may be NaN.
double median(std::vector<double> values);

}  // namespace ddpbench
