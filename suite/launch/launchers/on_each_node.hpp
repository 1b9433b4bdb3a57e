#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// A shell that runs a client (ssh, pbsdsh) for each of `nodes`, side by side, and ends when all have, or as soon as one fails. `client`
// is its text for one, with ${nodes[i]} for the node and COMMAND for what is to run there: `copies` processes of `of_each`
// (node_starter.hpp).
LaunchCommand on_each_node(std::string client, const std::vector<std::string>& nodes, const Program& program, std::int64_t copies,
                           const std::vector<std::string>& of_each);

// The nodes of a launch; where none are known, HOST1 HOST2 … for a command that is only shown.
std::vector<std::string> hosts_to_show(const LaunchSpec& spec, const std::vector<std::string>& allocated);

// Whose variables tell a process that was started so its rank (rank_info.hpp).
inline constexpr const char* kVariablesOfNodes = "torchrun";

// The ranks of a launch without agents, to be pasted: they meet at its first node.
using StartOnNodes = LaunchCommand (*)(const LaunchSpec&, const Program&, std::int64_t copies,
                                       const std::vector<std::string>& of_each);
LaunchCommand ranks_on_nodes(StartOnNodes start, const LaunchSpec& spec, const Program& program);

}  // namespace ddpbench
