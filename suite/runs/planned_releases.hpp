#pragma once
#include <string>

#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Returns the release of Lightning that a launch asks for; "default": the environment's own.
std::string lightning_release_of(const LaunchSpec& spec);

// Checks that every release of Lightning that a launch of the plan asks for (option lightning_version) was installed beside the
// environment's own, skipped launches aside. Throws UsageError that names those that are there, and the command that installs
// another.
void check_lightning_releases(const Plan& plan, const Installation& installation);

}  // namespace ddpbench
