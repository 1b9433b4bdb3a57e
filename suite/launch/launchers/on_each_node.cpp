#include "suite/launch/launchers/on_each_node.hpp"

#include "suite/base/text.hpp"
#include "suite/launch/launchers/node_starter.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench {

std::vector<std::string> hosts_to_show(const LaunchSpec& spec, const std::vector<std::string>& allocated) {
  if (!allocated.empty()) return hosts_of(spec, allocated);
  std::vector<std::string> places;
  for (std::int64_t node = 1; node <= spec.nodes; ++node) places.push_back("HOST" + std::to_string(node));
  return places;
}

// The program's tokens stand last, where a reader looks for them; ${*@Q} quotes them for the shell of the node. The signal: `wait -n` may
// miss clients that end together.
LaunchCommand on_each_node(std::string client, const std::vector<std::string>& nodes, const Program& program, std::int64_t copies,
                           const std::vector<std::string>& of_each) {
  const std::string place = "COMMAND";
  client.replace(client.find(place), place.size(), "cd ${PWD@Q} 2>/dev/null || cd /; exec env NODE_RANK=$i ${*@Q}");
  const std::string script = "trap \"kill \\$(jobs -p) 2>/dev/null; exit 1\" USR1; nodes=(" + join(nodes, " ") +
                             "); for i in ${!nodes[@]}; do " + client + " || kill -USR1 $$ & done; wait";
  LaunchCommand command{{"/bin/bash", "-c", script, "on-each-node"}};
  const auto count = static_cast<std::int64_t>(nodes.size());
  const auto on_node = node_command(program.installation.program.string(), count, copies, of_each);
  command.tokens.insert(command.tokens.end(), on_node.begin(), on_node.end());
  return command;
}

LaunchCommand ranks_on_nodes(StartOnNodes start, const LaunchSpec& spec, const Program& program) {
  const auto rank = rank_command(spec, program);
  auto command = start(spec, program, spec.ranks_per_node, rank.tokens);
  command.environment = rank.environment;
  command.environment.insert({{"MASTER_ADDR", hosts_to_show(spec, program.hosts).front()}, {"MASTER_PORT", "29500"}});
  return command;
}

}  // namespace ddpbench
