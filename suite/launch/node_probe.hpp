#pragma once
#include <string>

#include "suite/launch/allocation.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/probe.hpp"
#include "suite/launch/python_host.hpp"

namespace ddpbench {

// Whether ranks will run on other machines than this one: it need not have what they have (a login node has no GPU).
bool runs_elsewhere(const LauncherEntry& launcher, const Allocation& allocation);

// Asks by a launch of one rank on the first node that ranks will run on; where that is this machine, as ask_here(). The arguments must
// outlive it.
AskProgram asks_where_ranks_run(const LauncherEntry& launcher, const Allocation& allocation, const Installation& installation);

// What the worker says of the first node that ranks will run on, asked by a launch of one rank there; where that is this machine, the kept
// answer or a fresh one (current_probe). Throws CannotRun with the reason where the node gives no answer.
Probe probe_where_ranks_run(const LauncherEntry& launcher, const Allocation& allocation, const Installation& installation,
                            const std::string& worker_build_id);

}  // namespace ddpbench
