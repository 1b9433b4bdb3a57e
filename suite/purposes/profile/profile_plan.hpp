#pragma once
#include <string>
#include <vector>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// Says what is asked for: --profile and what chooses among cells' arms, steps and ranks. Empty: the default of a launch.
struct ProfileRequest {
  std::string profiler{};  // empty: no profile
  std::vector<std::string> arms{}, ranks{}, with{};
  std::string steps{};

  bool is_asked_for() const { return !profiler.empty(); }
};

// Returns a launch of purpose `profile` for each cell that can run, in the order of the plan: LAUNCH-profile, of the arms that
// are asked for; else of all but controls. None where nothing is
// asked for. `vocabulary`: the plan's. Throws UsageError with every mistake: a profiler, steps or
// ranks that are not legal, an arm that the plan lacks.
std::vector<PlannedLaunch> plan_profiles(const ProfileRequest& request, const Plan& plan, const Vocabulary& vocabulary);

}  // namespace ddpbench
