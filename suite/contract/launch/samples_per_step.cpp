#include "suite/contract/launch/samples_per_step.hpp"

#include "suite/contract/launch/option_values.hpp"
#include "suite/contract/launch/options.hpp"

namespace ddpbench {

std::int64_t samples_per_step(const Axes& axes, const std::map<std::string, std::string>& strategy_options) {
  const OptionValues values(strategy_options);
  const auto micro_batches = strategy_options.count("accumulate") > 0 ? values.integer("accumulate") : 1;
  return axes.world_size() * axes.batch_size_per_rank * micro_batches;
}

std::int64_t samples_per_step(const Axes& axes, const std::string& options) {
  const auto accumulate = option_value(options, "accumulate");
  if (accumulate.empty()) return samples_per_step(axes, std::map<std::string, std::string>());
  return samples_per_step(axes, std::map<std::string, std::string>{{"accumulate", accumulate}});
}

}  // namespace ddpbench
