#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Checks whether a folder may be continued with an experiment, by the text of its experiment.toml and that of now: both are the
// same, but that there may be more launches and looks now, and keys at their default that the folder's release did not know.
// Throws UsageError that names the first line that differs.
void require_same_experiment(const std::string& path, std::string_view before, std::string_view now);

// Checks the same of its plan: the launches that were planned before stand first, as they were, but for what the machine decides
// (commands, skips).
void require_same_plan(const std::string& path, const std::vector<PlanRow>& before, const std::vector<PlanRow>& now);

}  // namespace ddpbench
