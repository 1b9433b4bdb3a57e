#include "suite/launch/agents/agent_order.hpp"

#include <utility>

#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench {

Binding agents_binding(std::int64_t /*ranks_per_node*/, const std::vector<std::string>& /*hosts*/) {
  return {true, "each rank to its share of its node's cores, where there are two or more for each"};
}

AgentOrder agent_order(std::string launcher, std::string variables, LaunchCommand agents, const LaunchSpec& spec,
                       const Program& program) {
  return {std::move(launcher),         std::move(variables),          std::move(agents),
          rank_command(spec, program), hosts_of(spec, program.hosts), meet_by(spec)};
}

std::string planned_host(const AgentOrder& order, const LaunchSpec& spec, std::size_t rank) {
  const auto node = rank / static_cast<std::size_t>(spec.ranks_per_node);
  return node < order.hosts.size() ? order.hosts[node] : "";
}

std::string rank_on(std::size_t rank, const std::string& host) {
  return "rank " + std::to_string(rank) + (host.empty() ? "" : " on " + host);
}

}  // namespace ddpbench
