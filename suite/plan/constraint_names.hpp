#pragma once
#include <vector>

#include "suite/plan/constraint.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {

// The names that a constraint of this experiment may use: its axes, in their order.
inline std::vector<ConstraintName> constraint_names(const Experiment& experiment) {
  std::vector<ConstraintName> names;
  for (const auto& axis : experiment.axes) {
    const auto kind = axis.type == OptionType::kText     ? TermKind::kText
                      : axis.type == OptionType::kSwitch ? TermKind::kCondition
                                                         : TermKind::kNumber;
    names.push_back({axis.name, kind});
  }
  return names;
}

}  // namespace ddpbench
