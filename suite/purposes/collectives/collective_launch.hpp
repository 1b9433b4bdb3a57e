#pragma once
#include <string>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/tables/rows.hpp"
#include "suite/launch/launch_outcome.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/processes/signal_inbox.hpp"
#include "suite/launch/progress.hpp"

namespace ddpbench {

// Says how collectives are measured: in the launches of `ddpbench collectives`, one for each number of ranks and repetition.
struct CollectiveSetup {
  const Installation& installation;
  const Launcher& launcher;
  std::vector<std::string> hosts;
};

// Holds what a launch of `ddpbench collectives` measured, and how it ended.
struct CollectiveResult {
  std::vector<CollectiveSampleRow> rows;  // also of a launch that failed: its cases that were through
  LaunchOutcome ended;
};

// Starts the launch, whose spec has purpose `collectives` and a part folder, and reads what it left.
CollectiveResult run_collective_launch(const CollectiveSetup& setup, const LaunchSpec& spec, SignalInbox& inbox,
                                       ProgressDisplay& display);

}  // namespace ddpbench
