#pragma once
#include <cstdint>
#include <string>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// Names part `number` of `of` parts, from 1: of every cell the launches of repetitions number - 1, number - 1 + of, …
struct PlanPart {
  std::int64_t number = 1, of = 1;
};

// Parses "2/5". Throws UsageError naming `option` otherwise.
PlanPart plan_part(const std::string& text, const std::string& option);

// Leaves the part in the plan. Throws UsageError where it holds no launch.
void keep_part(const PlanPart& part, Plan& plan);

}  // namespace ddpbench
