#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "suite/sites/batch_systems.hpp"

namespace ddpbench {

// Returns the nodes that jobs of `submit` are not to get, by the batch system's names. `given` (--exclude): "NODE,NODE", "none",
// or "" for those that were found slow or broken in the last days (purposes/nodes/bad_nodes.hpp), as far as the batch system knows them;
// says on standard output which and why. Throws UsageError for what is no name of a node, and where the batch system cannot leave
// nodes out.
std::vector<std::string> nodes_to_leave_out(const std::string& given, const BatchSystem& system,
                                            std::chrono::system_clock::time_point now);

}  // namespace ddpbench
