#include "suite/launch/launchers/ssh_launcher.hpp"

#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/launchers/on_each_node.hpp"
#include "suite/launch/processes/find_program.hpp"
#include "suite/launch/shell_text.hpp"

namespace ddpbench {
namespace {

constexpr const char* kSsh = "ssh";

}  // namespace

std::string why_not_ssh(const Installation& /*installation*/, const Allocation& allocation) {
  if (find_program(kSsh).empty()) return "ssh is not in $PATH";
  return allocation.hosts.empty() ? "no nodes are known: give --hosts NODE,NODE or a file with a node on each line" : "";
}

// BatchMode: a question for a password would wait for ever. The environment goes by standard input, which ssh encrypts.
LaunchCommand by_ssh(const LaunchSpec& spec, const Program& program, std::int64_t copies,
                     const std::vector<std::string>& of_each) {
  meet_by(spec);  // a mistake in it is told before anything starts
  const std::string client = "env -0 | " + shell_quoted(program_to_show(kSsh)) + " -o BatchMode=yes \"${nodes[i]}\" \"COMMAND\"";
  return on_each_node(client, hosts_to_show(spec, program.hosts), program, copies, of_each);
}

LaunchCommand ssh_command(const LaunchSpec& spec, const Program& program) { return ranks_on_nodes(by_ssh, spec, program); }

std::unique_ptr<RunningLaunch> start_ssh(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  auto agents = by_ssh(spec, program, spec.ranks_per_node, agent_command(program.installation));
  return std::make_unique<AgentLaunch>(spec, agent_order(kSsh, kVariablesOfNodes, std::move(agents), spec, program),
                                       std::move(supervision));
}

}  // namespace ddpbench
