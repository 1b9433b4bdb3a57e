#pragma once
#include <vector>

#include "suite/plan/constraint.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {

// Names the GPUs of a node that ranks can use: what the probe found, 0 without one. No axis: it is asked, not chosen.
inline constexpr const char* kGpusName = "gpus";

// Returns the names that a constraint of this experiment may use: its axes, in their order, then kGpusName.
inline std::vector<ConstraintName> constraint_names(const Experiment& experiment) {
  std::vector<ConstraintName> names;
  for (const auto& axis : experiment.axes) {
    const auto kind = axis.type == OptionType::kText     ? TermKind::kText
                      : axis.type == OptionType::kSwitch ? TermKind::kCondition
                                                         : TermKind::kNumber;
    names.push_back({axis.name, kind});
  }
  names.push_back({kGpusName, TermKind::kNumber});
  return names;
}

}  // namespace ddpbench
