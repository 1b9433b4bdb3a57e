#pragma once
#include <string>

namespace ddpbench {

// Says whether 0 is a legal percentage.
enum class PercentBound { kFromZero, kAboveZero };

// Parses the value of the option `name`: "1" and "1%" are one percent. Throws UsageError that names it for what is no percentage,
// is below its bound or above 10,000.
double percent_option(const std::string& name, const std::string& given, PercentBound bound);

}  // namespace ddpbench
