#include "suite/launch/mpirun/mpirun_launcher.hpp"

#include <unistd.h>

#include "suite/base/text.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/agents/agent_words.hpp"
#include "suite/launch/agents/meeting_options.hpp"
#include "suite/launch/allocation.hpp"
#include "suite/launch/find_program.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench {
namespace {

constexpr const char* kMpirun = "mpirun";

// "node1:2,node2:2"; nothing where no nodes are allocated: mpirun then starts all on this machine.
std::vector<std::string> places(const LaunchSpec& spec, const Program& program) {
  std::vector<std::string> slots;
  for (const auto& host : hosts_of(spec, program.hosts)) slots.push_back(host + ":" + std::to_string(spec.ranks_per_node));
  return slots.empty() ? slots : std::vector<std::string>{"--host", join(slots, ",")};
}

// Ranks share their node's cores among themselves (AgentLaunch), the same way under every launcher.
LaunchCommand processes(const LaunchSpec& spec, const Program& program, const std::vector<std::string>& variables,
                        const std::vector<std::string>& of_each) {
  const auto append = [](std::vector<std::string>& tokens, const std::vector<std::string>& more) {
    tokens.insert(tokens.end(), more.begin(), more.end());
  };
  meet_by(spec);  // a mistake in it is told before anything starts
  LaunchCommand command;
  command.tokens = {program_to_show(kMpirun), "-np", std::to_string(spec.world_size())};
  append(command.tokens, places(spec, program));
  append(command.tokens,
         {"--map-by", "ppr:" + std::to_string(spec.ranks_per_node) + ":node", "--oversubscribe", "--bind-to", "none"});
  if (::geteuid() == 0) command.tokens.emplace_back("--allow-run-as-root");
  for (const auto& variable : variables) append(command.tokens, {"-x", variable});
  append(command.tokens, of_each);
  return command;
}

}  // namespace

std::string why_not_mpirun(const Installation& /*installation*/, const Allocation& /*allocation*/) {
  return find_program(kMpirun).empty() ? "mpirun is not in $PATH" : "";
}

// Started by hand, ranks meet where rank 0 is, which mpirun does not tell them.
LaunchCommand mpirun_command(const LaunchSpec& spec, const Program& program) {
  const auto rank = rank_command(spec, program);
  const auto hosts = hosts_of(spec, program.hosts);
  std::vector<std::string> variables{"MASTER_ADDR=" + (hosts.empty() ? "127.0.0.1" : hosts.front())};
  for (const auto& [name, value] : rank.environment) variables.push_back(name);
  auto command = processes(spec, program, variables, rank.tokens);
  command.environment = rank.environment;
  return command;
}

std::unique_ptr<RunningLaunch> start_mpirun(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  const std::vector<std::string> variables{kDriverAtVariable, kSecretVariable, kLauncherVariable, kMeetByVariable};
  auto agents = processes(spec, program, variables, agent_command(program.installation));
  auto order = agent_order(kMpirun, kMpirun, std::move(agents), spec, program);
  return std::make_unique<AgentLaunch>(spec, std::move(order), std::move(supervision));
}

}  // namespace ddpbench
