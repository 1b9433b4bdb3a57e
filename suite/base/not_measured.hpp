#pragma once
#include <limits>

namespace ddpbench {

// Marks a value that was not measured: NaN here, empty in a file, never 0.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

}  // namespace ddpbench
