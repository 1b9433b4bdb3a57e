#pragma once
#include <string>

#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/launchers/on_each_node.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench::test {

// Agents without a batch system: a shell of this machine stands for srun, and sets the variables of its tasks.
inline LaunchCommand local_agents(const LaunchSpec& spec) {
  const auto ranks = std::to_string(spec.ranks_per_node);
  const std::string each =
      "SLURM_PROCID=$rank SLURM_NTASKS=" + ranks + " SLURM_LOCALID=$rank SLURM_NODEID=0 " DDPBENCH_TEST_AGENT;
  return {{"/bin/sh", "-c", "rank=0; while [ $rank -lt " + ranks + " ]; do " + each + " & rank=$((rank + 1)); done; wait"}};
}

inline std::unique_ptr<RunningLaunch> start_local_agents(const LaunchSpec& spec, const Program& program,
                                                         Supervision supervision) {
  return std::make_unique<AgentLaunch>(spec, AgentOrder{"srun", "srun", local_agents(spec), rank_command(spec, program), {}},
                                       std::move(supervision));
}

inline const Launcher kLocalAgents{
    {"agents"},   LauncherScope::kAnyNodes, [](const Installation&, const Allocation&) { return std::string(); },
    rank_command, agents_binding,           start_local_agents};

// One process for each node, as ssh and pbsdsh start it, on this machine: a shell stands for the client.
inline std::unique_ptr<RunningLaunch> start_local_node(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  const std::vector<std::string> agent{DDPBENCH_TEST_AGENT, kAgentWord};
  auto node = on_each_node("env -0 | bash -c \"COMMAND\"", {"here"}, program, spec.ranks_per_node, agent);
  return std::make_unique<AgentLaunch>(spec, AgentOrder{"client", kVariablesOfNodes, node, rank_command(spec, program), {}},
                                       std::move(supervision));
}

inline const Launcher kLocalNode{
    {"node"},     LauncherScope::kAnyNodes, [](const Installation&, const Allocation&) { return std::string(); },
    rank_command, agents_binding,           start_local_node};

}  // namespace ddpbench::test
