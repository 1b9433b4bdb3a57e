#include "suite/launch/pbsdsh/pbsdsh_launcher.hpp"

#include <algorithm>

#include "suite/base/surroundings.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/allocation.hpp"
#include "suite/launch/find_program.hpp"
#include "suite/launch/nodes/on_each_node.hpp"
#include "suite/launch/shell_text.hpp"

namespace ddpbench {
namespace {

constexpr const char* kPbsdsh = "pbsdsh";

// pbsdsh counts the places of a job, of which a node may have many: its node file has a line for each. A node that is not in it stays a
// name, for a command that is only shown.
std::vector<std::string> first_places(const std::vector<std::string>& hosts) {
  const auto lines = lines_of_file(environment_variable(kNodeFileVariable));
  std::vector<std::string> places;
  for (const auto& host : hosts) {
    const auto line = std::find(lines.begin(), lines.end(), host);
    places.push_back(line == lines.end() ? host : std::to_string(line - lines.begin()));
  }
  return places;
}

}  // namespace

std::string why_not_pbsdsh(const Installation& /*installation*/, const Allocation& allocation) {
  if (find_program(kPbsdsh).empty()) return "pbsdsh is not in $PATH";
  const bool is_in_job = !environment_variable("PBS_JOBID").empty() && !allocation.hosts.empty();
  return is_in_job ? "" : "this shell is in no job of PBS's: use qsub, or qsub -I for a shell";
}

// pbsdsh hands on neither environment nor standard input: a file that only its owner can read does, in the launch's folder.
LaunchCommand by_pbsdsh(const LaunchSpec& spec, const Program& program, std::int64_t copies,
                        const std::vector<std::string>& of_each) {
  const auto file = shell_quoted(spec.part_dir + "/environment");
  const std::string client = program_to_show(kPbsdsh) + " -n ${nodes[i]} -- /bin/bash -c \"COMMAND <${file@Q}\"";
  auto command = on_each_node(client, first_places(hosts_to_show(spec, program.hosts)), program, copies, of_each);
  const std::string write =
      "file=" + file + "; mkdir -p \"${file%/*}\" && (umask 077 && env -0 >\"$file\") || exit; trap 'rm -f \"$file\"' EXIT; ";
  command.tokens[2] = write + command.tokens[2];
  return command;
}

LaunchCommand pbsdsh_command(const LaunchSpec& spec, const Program& program) { return ranks_on_nodes(by_pbsdsh, spec, program); }

std::unique_ptr<RunningLaunch> start_pbsdsh(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  auto agents = by_pbsdsh(spec, program, spec.ranks_per_node, agent_command(program.installation));
  return std::make_unique<AgentLaunch>(spec, agent_order(kPbsdsh, kVariablesOfNodes, std::move(agents), spec, program),
                                       std::move(supervision));
}

}  // namespace ddpbench
