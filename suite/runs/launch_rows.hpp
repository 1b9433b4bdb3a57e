#pragma once
#include <chrono>

#include "suite/launch/launch_outcome.hpp"
#include "suite/plan/plan.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Returns the rows of a launch from its part files and its outcome. Part files that make no sense turn the outcome, `ended`, into
// `failed`, with no samples. `arms`: the plan's.
LaunchResult rows_of_launch(const PlannedLaunch& launch, const LaunchSpec& spec, const std::vector<ArmFacts>& arms,
                            LaunchOutcome& ended);

// Returns the rows of a launch that left no samples.
LaunchResult rows_without_samples(const PlannedLaunch& launch, const LaunchOutcome& ended);

// Sets started_utc and wall_s in every row of the launch.
void note_times(LaunchResult& result, std::chrono::system_clock::time_point started, double wall_seconds);

}  // namespace ddpbench
