#pragma once
#include "suite/launch/launch_outcome.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/signal_inbox.hpp"
#include "suite/launch/progress.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Holds what a launch of purpose `profile` left, and how it ended.
struct ProfileResult {
  RecordedTraces traces;
  LaunchOutcome ended;
  bool job_is_over = false;  // no other launch can start
};

// Starts the launch, whose spec has purpose `profile` and a part folder, under its profiler, and reads what it left. `program`:
// what its ranks execute.
ProfileResult run_profile_launch(const Launcher& launcher, const LaunchSpec& spec, const Program& program, SignalInbox& inbox,
                                 ProgressDisplay& display);

}  // namespace ddpbench
