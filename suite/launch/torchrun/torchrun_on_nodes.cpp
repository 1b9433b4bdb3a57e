#include "suite/launch/torchrun/torchrun_on_nodes.hpp"

#include <functional>

#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/agents/meeting_options.hpp"
#include "suite/launch/nodes/on_each_node.hpp"
#include "suite/launch/pbsdsh/pbsdsh_launcher.hpp"
#include "suite/launch/rank_command.hpp"
#include "suite/launch/srun/srun_launcher.hpp"
#include "suite/launch/ssh/ssh_launcher.hpp"
#include "suite/launch/torchrun/torchrun_launcher.hpp"
#include "suite/launch/torchrun/torchrun_words.hpp"

namespace ddpbench {
namespace {

// Launches of one time on one node should not take the same port; all nodes must know it before any has started.
std::uint16_t port_of(const LaunchSpec& spec) {
  constexpr PortRange kUsual{20000, 29999};  // below the usual ephemeral range
  const auto chosen = port_range(option_value(meet_by(spec), kPortsOption));
  const auto range = chosen.first == 0 ? kUsual : chosen;
  const auto number = std::hash<std::string>{}(spec.part_dir + spec.launch_id);
  return static_cast<std::uint16_t>(range.first + number % (range.last - range.first + 1U));
}

// --node-rank is read from $PET_NODE_RANK, as torchrun has it.
std::vector<std::string> torchrun_tokens(const LaunchSpec& spec, const Program& program,
                                         const std::vector<std::string>& of_each) {
  std::vector<std::string> tokens{program.installation.python().string(),
                                  "-m",
                                  "torch.distributed.run",
                                  "--nnodes",
                                  std::to_string(spec.nodes),
                                  "--nproc-per-node",
                                  std::to_string(spec.ranks_per_node),
                                  "--master-addr",
                                  hosts_to_show(spec, program.hosts).front(),
                                  "--master-port",
                                  std::to_string(port_of(spec)),
                                  "--max-restarts",
                                  "0",
                                  kNoPython};
  tokens.insert(tokens.end(), of_each.begin(), of_each.end());
  return tokens;
}

// One torchrun on each node.
LaunchCommand torchruns(const LaunchSpec& spec, const Program& program, const std::vector<std::string>& of_each) {
  auto tokens = torchrun_tokens(spec, program, of_each);
  const Allocation allocation{"", program.hosts};
  if (why_not_srun({}, allocation).empty()) {
    const std::vector<std::string> shell{"/bin/bash", "-c", "PET_NODE_RANK=$SLURM_NODEID exec \"$@\"", kTorchrun};
    tokens.insert(tokens.begin(), shell.begin(), shell.end());
    return by_srun(spec, program, 1, tokens);
  }
  const auto start = why_not_pbsdsh({}, allocation).empty() ? by_pbsdsh : by_ssh;
  return start(spec, program, 1, tokens);
}

}  // namespace

LaunchCommand torchrun_on_nodes(const LaunchSpec& spec, const Program& program) {
  const auto rank = rank_command(spec, program);
  auto command = torchruns(spec, program, rank.tokens);
  command.environment = rank.environment;
  return command;
}

std::unique_ptr<RunningLaunch> start_torchrun_on_nodes(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  auto agents = torchruns(spec, program, agent_command(program.installation));
  return std::make_unique<AgentLaunch>(spec, agent_order(kTorchrun, kTorchrun, std::move(agents), spec, program),
                                       std::move(supervision));
}

}  // namespace ddpbench
