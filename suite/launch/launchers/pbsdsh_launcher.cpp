#include "suite/launch/launchers/pbsdsh_launcher.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/launchers/on_each_node.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/processes/find_program.hpp"
#include "suite/launch/shell_text.hpp"

namespace ddpbench {
namespace {

constexpr const char* kPbsdsh = "pbsdsh";

// pbsdsh counts the places of a job, of which a node may have many: its node file has a line for each. Nothing for a node that is not in it.
std::optional<std::ptrdiff_t> first_place(const std::string& host) {
  if (environment_variable(kNodeFileVariable).empty()) return std::nullopt;
  const auto lines = places_of_pbs();
  const auto line = std::find(lines.begin(), lines.end(), host);
  return line == lines.end() ? std::nullopt : std::optional(line - lines.begin());
}

// A node without a place stays a name, for a command that is only shown: pbsdsh would take it for place 0.
std::vector<std::string> first_places(const std::vector<std::string>& hosts) {
  std::vector<std::string> places;
  for (const auto& host : hosts) {
    const auto place = first_place(host);
    places.push_back(place ? std::to_string(*place) : host);
  }
  return places;
}

std::string environment_file(const LaunchSpec& spec) { return spec.part_dir + "/environment"; }

}  // namespace

std::string why_not_pbsdsh(const Installation& /*installation*/, const Allocation& allocation) {
  if (find_program(kPbsdsh).empty()) return "pbsdsh is not in $PATH";
  const bool is_in_job = !environment_variable("PBS_JOBID").empty();
  if (is_in_job && allocation.hosts.empty() && !allocation.why_no_hosts.empty()) return allocation.why_no_hosts;
  return is_in_job && !allocation.hosts.empty() ? "" : "this shell is in no job of PBS's: use qsub, or qsub -I for a shell";
}

// pbsdsh hands on neither environment nor standard input, and says nothing of how a program ended: files do, in the launch's folder.
LaunchCommand by_pbsdsh(const LaunchSpec& spec, const Program& program, std::int64_t copies,
                        const std::vector<std::string>& of_each) {
  meet_by(spec);  // a mistake in it is told before anything starts
  const std::string client =
      shell_quoted(program_to_show(kPbsdsh)) +
      " -n ${nodes[i]} -- /bin/bash -c \"(COMMAND <${file@Q}); echo \\$? >${file@Q}.$i\" && grep -qx 0 \"$file.$i\"";
  auto command = on_each_node(client, first_places(hosts_to_show(spec, program.hosts)), program, copies, of_each);
  const std::string write =
      "file=$(realpath -m " + shell_quoted(environment_file(spec)) + ")" +
      "; mkdir -p \"${file%/*}\" && (umask 077 && env -0 >\"$file\") || exit; trap \"rm -f ${file@Q}*\" EXIT; ";
  command.tokens[2] = write + command.tokens[2];
  return command;
}

AgentOrder by_pbsdsh_only(AgentOrder order, const LaunchSpec& spec) {
  for (const auto& host : order.hosts) {
    if (!first_place(host))
      throw CannotRun("pbsdsh: node '" + host + "' is not in the job's node file, " + environment_variable(kNodeFileVariable));
  }
  order.secret_file = environment_file(spec);
  return order;
}

LaunchCommand pbsdsh_command(const LaunchSpec& spec, const Program& program) { return ranks_on_nodes(by_pbsdsh, spec, program); }

std::unique_ptr<RunningLaunch> start_pbsdsh(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  auto agents = by_pbsdsh(spec, program, spec.ranks_per_node, agent_command(program.installation));
  auto order = by_pbsdsh_only(agent_order(kPbsdsh, kVariablesOfNodes, std::move(agents), spec, program), spec);
  return std::make_unique<AgentLaunch>(spec, std::move(order), std::move(supervision));
}

}  // namespace ddpbench
