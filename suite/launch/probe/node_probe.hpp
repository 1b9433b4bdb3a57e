#pragma once
#include <string>

#include "suite/contract/launch/protocol.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/launch/probe/worker_probe.hpp"

namespace ddpbench {

// Returns whether ranks will run on other machines than this one, which need not have what they have (a login node has no GPU).
bool runs_elsewhere(const Launcher& launcher, const Allocation& allocation);

// Returns what asks by a launch of one rank on the first node that ranks will run on; where that is this machine, as ask_here().
// The arguments must outlive it. `hang_timeout_seconds`: how long the node may come no further; one that loads from a busy file
// system does.
AskProgram asks_where_ranks_run(const Launcher& launcher, const Allocation& allocation, const Installation& installation,
                                double hang_timeout_seconds);

// Returns what the worker says of the first node that ranks will run on, asked by a launch of one rank there; where that is this
// machine, the kept answer or a fresh one (current_probe). Throws CannotRun with the reason where the node gives no answer.
Probe probe_where_ranks_run(const Launcher& launcher, const Allocation& allocation, const Installation& installation,
                            const std::string& worker_build_id, double hang_timeout_seconds = Protocol().hang_timeout_seconds);

}  // namespace ddpbench
