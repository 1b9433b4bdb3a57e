#include "suite/contract/launch/resume_step.hpp"

#include <string>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {

std::int64_t resume_step(const ArmFacts& arm, std::int64_t epochs, std::int64_t steps) {
  const auto values = arm.feature_values();
  const auto value = values.find(kResumedFeature);
  if (value == values.end()) return 0;
  const auto wanted = parse_number<std::int64_t>(value->second).value_or(0);
  if (wanted == 0 && epochs < 2)
    throw UsageError("arm '" + arm.name + "' goes on behind half of its epochs, and epochs = " + std::to_string(epochs) +
                     ": must be 2 at least, or name the step: +resumed=10");
  const auto all = epochs * steps;
  if (wanted > 0 && steps > 0 && wanted >= all)
    throw UsageError("arm '" + arm.name + "': its whole training has " + std::to_string(all) + " steps: resumed must be below " +
                     std::to_string(all));
  return wanted == 0 ? epochs / 2 * steps : wanted;
}

}  // namespace ddpbench
