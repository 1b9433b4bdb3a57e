#include "suite/launch/launchers/mpirun_launcher.hpp"

#include <unistd.h>

#include "suite/base/text.hpp"
#include "suite/contract/processes/rank_info.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/agents/agent_messages.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/launchers/mpirun_kind.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/processes/find_program.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench {
namespace {

constexpr const char* kMpirun = "mpirun";

void append(std::vector<std::string>& tokens, const std::vector<std::string>& more) {
  tokens.insert(tokens.end(), more.begin(), more.end());
}

// Where no nodes are allocated mpirun starts all on this machine. Ranks share their node's cores among themselves (AgentLaunch), the same way under
// every launcher: neither mpirun is to bind them. `variables`: "NAME=VALUE", or "NAME" of one that this process has.
std::vector<std::string> open_mpi_options(const LaunchSpec& spec, const Program& program,
                                          const std::vector<std::string>& variables) {
  const auto per_node = std::to_string(spec.ranks_per_node);
  std::vector<std::string> slots, options;
  for (const auto& host : hosts_of(spec, program.hosts)) slots.push_back(host + ":" + per_node);
  if (!slots.empty()) options = {"--host", join(slots, ",")};
  append(options, {"--map-by", "ppr:" + per_node + ":node", "--oversubscribe", "--bind-to", "none"});
  if (::geteuid() == 0) options.emplace_back("--allow-run-as-root");
  for (const auto& variable : variables) append(options, {"-x", variable});
  return options;
}

// Hydra hands on all variables of its own environment. MPICH binds nothing by itself; Intel MPI and MVAPICH2 do, unless these say no.
std::vector<std::string> hydra_options(const LaunchSpec& spec, const Program& program,
                                       const std::vector<std::string>& variables) {
  std::vector<std::string> options;
  const auto hosts = hosts_of(spec, program.hosts);
  if (!hosts.empty()) options = {"-hosts", join(hosts, ","), "-ppn", std::to_string(spec.ranks_per_node)};
  append(options, {"-genv", "I_MPI_PIN", "0", "-genv", "MV2_ENABLE_AFFINITY", "0"});
  for (const auto& variable : variables) {
    const auto equals = variable.find('=');
    if (equals != std::string::npos) append(options, {"-genv", variable.substr(0, equals), variable.substr(equals + 1)});
  }
  return options;
}

LaunchCommand processes(const LaunchSpec& spec, const Program& program, const std::vector<std::string>& variables,
                        const std::vector<std::string>& of_each) {
  meet_by(spec);  // a mistake in it is told before anything starts
  const bool is_hydra = installed_mpirun().kind == MpirunKind::kHydra;
  const auto options = is_hydra ? hydra_options : open_mpi_options;
  LaunchCommand command;
  if (is_hydra) command.environment["I_MPI_JOB_RESPECT_PROCESS_PLACEMENT"] = "0";  // in a job Intel MPI heeds no -ppn otherwise
  command.tokens = {program_to_show(kMpirun), "-np", std::to_string(spec.world_size())};
  append(command.tokens, options(spec, program, variables));
  append(command.tokens, of_each);
  return command;
}

}  // namespace

std::string why_not_mpirun(const Installation& /*installation*/, const Allocation& /*allocation*/) {
  return installed_mpirun().why_not;
}

// Started by hand, ranks meet where rank 0 is, which mpirun does not tell them.
LaunchCommand mpirun_command(const LaunchSpec& spec, const Program& program) {
  const auto rank = rank_command(spec, program);
  const auto hosts = hosts_of(spec, program.hosts);
  std::vector<std::string> variables{"MASTER_ADDR=" + (hosts.empty() ? "127.0.0.1" : hosts.front())};
  for (const auto& [name, value] : rank.environment) variables.push_back(name);
  auto command = processes(spec, program, variables, rank.tokens);
  command.environment.insert(rank.environment.begin(), rank.environment.end());
  return command;
}

std::unique_ptr<RunningLaunch> start_mpirun(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  const std::vector<std::string> variables{kDriverAtVariable, kSecretVariable, kLauncherVariable, kMeetByVariable};
  auto agents = processes(spec, program, variables, agent_command(program.installation));
  const auto* variables_of = installed_mpirun().kind == MpirunKind::kHydra ? kHydraVariables : kMpirun;
  auto order = agent_order(kMpirun, variables_of, std::move(agents), spec, program);
  return std::make_unique<AgentLaunch>(spec, std::move(order), std::move(supervision));
}

}  // namespace ddpbench
