#pragma once
#include <vector>

namespace ddpbench {

// The middle value, or the mean of the middle two; NaN for none. Every value is comparable (no NaN).
double median(std::vector<double> values);

}  // namespace ddpbench
