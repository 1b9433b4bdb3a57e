#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Returns a shell that runs a client (ssh, pbsdsh) for each of `nodes`, side by side, and ends when all have, or as soon as one
// fails. `client` is its text for one, with ${nodes[i]} for the node and COMMAND for what is to run there: `copies` processes of
// `of_each` (node_starter.hpp).
LaunchCommand on_each_node(std::string client, const std::vector<std::string>& nodes, const Program& program, std::int64_t copies,
                           const std::vector<std::string>& of_each);

// Returns the nodes of a launch; where none are known, HOST1 HOST2 … for a command that is only shown.
std::vector<std::string> hosts_to_show(const LaunchSpec& spec, const std::vector<std::string>& allocated);

// Names the launcher whose variables tell a process that was started so its rank (rank_info.hpp).
inline constexpr const char* kVariablesOfNodes = "torchrun";

// Starts `copies` processes of `of_each` on each node of a launch: by_ssh, by_pbsdsh.
using StartOnNodes = LaunchCommand (*)(const LaunchSpec&, const Program&, std::int64_t copies,
                                       const std::vector<std::string>& of_each);

// Returns the ranks of a launch without agents, to be pasted: they meet at its first node.
LaunchCommand ranks_on_nodes(StartOnNodes start, const LaunchSpec& spec, const Program& program);

}  // namespace ddpbench
