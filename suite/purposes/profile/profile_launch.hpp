#pragma once
#include <map>
#include <string>
#include <vector>

#include "suite/contract/tables/rows.hpp"
#include "suite/launch/launch_outcome.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/signal_inbox.hpp"
#include "suite/launch/progress.hpp"

namespace ddpbench {

// Holds what a launch of purpose `profile` left: a row for each rank that was to record, and what the files that the rows name
// hold.
struct ProfileResult {
  std::vector<ProfileRow> rows;
  std::map<std::string, std::string> files;  // by name in the results folder
  LaunchOutcome ended;
};

// Starts the launch, whose spec has purpose `profile` and a part folder, under its profiler, and reads what it left. `program`:
// what its ranks execute.
ProfileResult run_profile_launch(const Launcher& launcher, const LaunchSpec& spec, const Program& program, SignalInbox& inbox,
                                 ProgressDisplay& display);

}  // namespace ddpbench
