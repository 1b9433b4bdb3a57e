#pragma once
#include <string>

namespace ddpbench {

enum class PercentBound { kFromZero, kAboveZero };

// Of the option `name`: "1" and "1%" are one percent. Throws UsageError that names it for what is no percentage, or outside of its bounds.
double percent_option(const std::string& name, const std::string& given, PercentBound bound);

}  // namespace ddpbench
