#pragma once
#include <limits>

namespace ddpbench {

// Empty in a file, never 0: this was not measured.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

}  // namespace ddpbench
