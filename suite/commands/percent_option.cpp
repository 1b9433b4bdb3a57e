#include "suite/commands/percent_option.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {

double percent_option(const std::string& name, const std::string& given, PercentBound bound) {
  constexpr double kMostPercent = 10'000;
  const auto text = given.ends_with('%') ? given.substr(0, given.size() - 1) : given;
  const double percent = parse_number<double>(text).value_or(-1);
  const bool is_large_enough = bound == PercentBound::kFromZero ? percent >= 0 : percent > 0;
  if (is_large_enough && percent <= kMostPercent) return percent;
  throw UsageError(name + " '" + given + "': must be a percentage " +
                   (bound == PercentBound::kFromZero ? "from 0 to 10000" : "above 0, at most 10000") + ", for example 2 or 2%");
}

}  // namespace ddpbench
