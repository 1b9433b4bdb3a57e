#pragma once
#include <memory>
#include <string>
#include <vector>

#include "suite/launch/agents/agent_order.hpp"
#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Implement launcher `pbsdsh` (Launcher), inside a job of PBS: on each of the job's nodes or some.
std::string why_not_pbsdsh(const Installation& installation, const Allocation& allocation);
LaunchCommand pbsdsh_command(const LaunchSpec& spec, const Program& program);
std::unique_ptr<RunningLaunch> start_pbsdsh(const LaunchSpec& spec, const Program& program, Supervision supervision);

// Returns `copies` processes of `of_each` on each node of the launch, by one pbsdsh for each node.
LaunchCommand by_pbsdsh(const LaunchSpec& spec, const Program& program, std::int64_t copies,
                        const std::vector<std::string>& of_each);

// Returns an order whose agents by_pbsdsh starts: all its nodes are the job's, and the file with their environment goes with the
// start. Throws CannotRun where one is not.
AgentOrder by_pbsdsh_only(AgentOrder order, const LaunchSpec& spec);

}  // namespace ddpbench
