#pragma once
#include "suite/commands/run/ready_run.hpp"
#include "suite/purposes/profile/profile_plan.hpp"
#include "suite/runs/sweep.hpp"

namespace ddpbench {

// Runs the launches of purpose `profile` (plan_profiles) and stores their traces; leaves those alone whose traces by the same
// profiler the folder has. Adds to `counts` what failed, and whether it was stopped.
void profile_cells(const ReadyRun& ready, const std::vector<PlannedLaunch>& launches, ResultsFolder& folder, SweepCounts& counts);

// Prints a line for each launch that left traces in the folder, with what opens them, and the command that reads them all.
void print_profiles(const ResultsFolder& folder, std::ostream& out);

}  // namespace ddpbench
