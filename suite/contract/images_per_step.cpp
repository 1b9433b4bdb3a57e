#include "suite/contract/images_per_step.hpp"

#include <algorithm>

#include "suite/base/numbers.hpp"
#include "suite/contract/arm_name.hpp"
#include "suite/contract/option_values.hpp"
#include "suite/contract/options.hpp"

namespace ddpbench {

std::int64_t images_per_step(const Axes& axes, const std::map<std::string, std::string>& strategy_options) {
  const OptionValues values(strategy_options);
  const auto micro_batches = strategy_options.count("accumulate") > 0 ? values.integer("accumulate") : 1;
  return axes.world_size() * axes.batch_size_per_rank * micro_batches;
}

std::int64_t images_per_step(const Axes& axes, const std::string& options) {
  const auto accumulate = option_value(options, "accumulate");
  if (accumulate.empty()) return images_per_step(axes, std::map<std::string, std::string>());
  return images_per_step(axes, std::map<std::string, std::string>{{"accumulate", accumulate}});
}

std::int64_t own_micro_batches(const std::string& arm) {
  std::int64_t own = 1;
  for (const auto& change : split_arm_name(arm).changes) {
    if (change.feature == "accumulate") own = parse_number<std::int64_t>(change.value).value_or(1);
  }
  return own;
}

bool has_own_batches(const std::string& arm) {
  const auto changes = split_arm_name(arm).changes;
  return std::any_of(changes.begin(), changes.end(), [](const auto& change) { return change.feature == kModuleFeature; });
}

}  // namespace ddpbench
