#pragma once
#include <string>
#include <vector>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// Says what is asked for: --profile and what chooses among cells' arms, steps and ranks. Empty: the default of a launch.
struct ProfileRequest {
  std::string profiler{};  // empty: no profile
  std::vector<std::string> arms{}, ranks{}, with{};
  std::string steps{}, schedule{};

  bool is_asked_for() const { return !profiler.empty(); }
};

// Returns a launch of purpose `profile` for each cell that can run, in the order of the plan: LAUNCH-PROFILER, of the arms that
// are asked for, else of references and subjects. None where nothing is asked for. `vocabulary`: the plan's. A cell without any of
// the arms or ranks has none. Throws UsageError with every mistake: a profiler, steps or a schedule that are not legal, an arm or a
// rank that no cell has.
std::vector<PlannedLaunch> plan_profiles(const ProfileRequest& request, const Plan& plan, const Vocabulary& vocabulary);

}  // namespace ddpbench
