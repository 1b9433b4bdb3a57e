#include "suite/plan/plan_part.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {

PlanPart plan_part(const std::string& text, const std::string& option) {
  const auto words = split(text, '/');
  const auto number = [&](std::size_t word) {
    return word < words.size() ? parse_number<std::int64_t>(words[word]).value_or(0) : 0;
  };
  const PlanPart part{number(0), number(1)};
  const bool is_part = words.size() == 2 && part.number >= 1 && part.number <= part.of && part.of <= kMaxLaunches;
  if (!is_part) throw UsageError(option + " " + shown(text) + ": must be K/N with 1 <= K <= N, as in 2/5");
  return part;
}

void keep_part(const PlanPart& part, Plan& plan) {
  std::erase_if(plan.launches, [&](const PlannedLaunch& launch) { return launch.spec.repetition % part.of != part.number - 1; });
  if (plan.launches.empty()) {
    throw UsageError("part " + std::to_string(part.number) + " of " + std::to_string(part.of) +
                     " holds no launch: the plan has fewer repetitions (launches of [protocol])");
  }
}

}  // namespace ddpbench
