#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Holds what an AgentLaunch needs to know.
struct AgentOrder {
  std::string launcher;            // "srun"
  std::string variables;           // the launcher whose variables tell an agent its rank (rank_info.hpp)
  LaunchCommand agents;            // starts an agent for each rank
  LaunchCommand ranks;             // what each agent starts; of its copies and numbered variables nothing is used
  std::vector<std::string> hosts;  // the nodes, in the order of their ranks; empty: the launcher chooses
  std::string meet_by{};           // rendezvous_options.hpp
  std::string secret_file{};       // that the launcher's clients read the environment from; goes when all agents are there
};

// Returns the order for a launch as it is planned.
AgentOrder agent_order(std::string launcher, std::string variables, LaunchCommand agents, const LaunchSpec& spec,
                       const Program& program);

// Says how its agents bind the ranks of a node.
Binding agents_binding(std::int64_t ranks_per_node, const std::vector<std::string>& hosts);

// Returns where the plan has a rank: nodes are filled one after the other. "" where the launcher chooses.
std::string planned_host(const AgentOrder& order, const LaunchSpec& spec, std::size_t rank);

// Returns "rank 1 on node2"; host "": "rank 1".
std::string rank_on(std::size_t rank, const std::string& host);

}  // namespace ddpbench
