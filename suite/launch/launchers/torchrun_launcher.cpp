#include "suite/launch/launchers/torchrun_launcher.hpp"

#include <unistd.h>

#include <functional>
#include <memory>

#include "suite/base/errors.hpp"
#include "suite/base/tcp.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/agents/agent_launch.hpp"
#include "suite/launch/agents/agent_order.hpp"
#include "suite/launch/agents/rendezvous_options.hpp"
#include "suite/launch/agents/torchrun_output.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/launchers/on_each_node.hpp"
#include "suite/launch/launchers/pbsdsh_launcher.hpp"
#include "suite/launch/launchers/srun_launcher.hpp"
#include "suite/launch/launchers/ssh_launcher.hpp"
#include "suite/launch/launchers/torchrun_launch.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/launch/rank_command.hpp"

namespace ddpbench {
namespace {

// All nodes must know it before any has started. `salt`: a launch that is tried again takes another one.
std::uint16_t port_of(const LaunchSpec& spec, std::size_t salt) {
  constexpr PortRange kUsual{20000, 29999};  // below the usual ephemeral range
  const auto chosen = port_range(option_value(meet_by(spec), kPortsOption));
  if (chosen.first != 0 && chosen.first == chosen.last)
    throw UsageError("ports = '" + std::to_string(chosen.first) +
                     "': torchrun needs two or more, one for itself and one for rank 0");
  const auto range = chosen.first == 0 ? kUsual : chosen;
  const auto number = std::hash<std::string>{}(spec.part_dir + spec.launch_id) + salt;
  return static_cast<std::uint16_t>(range.first + number % (range.last - range.first + 1U));
}

// --node-rank is read from $PET_NODE_RANK, as torchrun has it.
std::vector<std::string> torchrun_tokens(const LaunchSpec& spec, const Program& program, std::size_t salt,
                                         const std::vector<std::string>& of_each) {
  std::vector<std::string> tokens{program.installation.python().string(),
                                  kNoWorkingFolder,
                                  "-m",
                                  "torch.distributed.run",
                                  "--nnodes",
                                  std::to_string(spec.nodes),
                                  "--nproc-per-node",
                                  std::to_string(spec.ranks_per_node),
                                  "--master-addr",
                                  hosts_to_show(spec, program.hosts).front(),
                                  "--master-port",
                                  std::to_string(port_of(spec, salt)),
                                  "--max-restarts",
                                  "0",
                                  kNoPython};
  tokens.insert(tokens.end(), of_each.begin(), of_each.end());
  return tokens;
}

bool is_in_slurm() { return why_not_srun({}, {}).empty(); }
bool is_in_pbs(const Program& program) { return why_not_pbsdsh({}, {"", program.hosts}).empty(); }

// One torchrun on each node.
LaunchCommand torchruns(const LaunchSpec& spec, const Program& program, std::size_t salt,
                        const std::vector<std::string>& of_each) {
  auto tokens = torchrun_tokens(spec, program, salt, of_each);
  if (is_in_slurm()) {
    const std::vector<std::string> shell{"/bin/bash", "-c", "PET_NODE_RANK=$SLURM_NODEID exec \"$@\"", kTorchrun};
    tokens.insert(tokens.begin(), shell.begin(), shell.end());
    return by_srun(spec, program, 1, tokens);
  }
  return (is_in_pbs(program) ? by_pbsdsh : by_ssh)(spec, program, 1, tokens);
}

// torchrun once on each of the nodes that are given, started by srun in a job of Slurm's, by pbsdsh in one of PBS's, else by ssh.
LaunchCommand torchrun_on_nodes(const LaunchSpec& spec, const Program& program) {
  const auto rank = rank_command(spec, program);
  auto command = torchruns(spec, program, 0, rank.tokens);
  command.environment = rank.environment;
  return command;
}

std::unique_ptr<RunningLaunch> start_torchrun_on_nodes(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  auto agents = torchruns(spec, program, static_cast<std::size_t>(::getpid()), agent_command(program.installation));
  auto order = agent_order(kTorchrun, kTorchrun, std::move(agents), spec, program);
  if (!is_in_slurm() && is_in_pbs(program)) order = by_pbsdsh_only(std::move(order), spec);
  return std::make_unique<AgentLaunch>(spec, std::move(order), std::move(supervision));
}

constexpr double kPythonTimeoutSeconds = 30;  // from a shared file system that is busy

// Looks for the package without loading it: that takes seconds.
constexpr const char* kLookForTorch = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)";

}  // namespace

std::string why_not_torchrun(const Installation& installation, const Allocation& allocation) {
  if (auto why = allocation.hosts.empty() ? why_no_loopback() : ""; !why.empty()) return why;
  try {
    const auto python = installation.python().string();
    const auto looked = run_captured({{python, kNoWorkingFolder, "-c", kLookForTorch}, {}, {}, {}}, kPythonTimeoutSeconds);
    if (looked.clean()) return "";
    constexpr int kNotFound = 1;
    const bool is_missing = looked.signal == 0 && looked.exit_code == kNotFound;
    return is_missing ? python + " has no torch; set DDPBENCH_PYTHON to a Python with torch"
                      : python + " was asked for torch and " + how_it_ended(looked);
  } catch (const CannotRun& error) {
    return error.what();
  }
}

// torchrun's own rendezvous is a file: of the driver's (TorchrunLaunch), or by hand a temporary one of the user's. So launches side by side do not
// meet, and no port is opened on which others could. No restarts: a launch that broke must
// not be taken for one that ran. --tee: torchrun says whose a line is, and its files lie with the launch's part files.
LaunchCommand torchrun_command(const LaunchSpec& spec, const Program& program) {
  if (!program.hosts.empty()) return torchrun_on_nodes(spec, program);
  LaunchCommand command;
  command.tokens = {program.installation.python().string(),
                    kNoWorkingFolder,
                    "-m",
                    "torch.distributed.run",
                    "--rdzv-backend",
                    "c10d",
                    "--rdzv-conf",
                    "store_type=file",
                    "--local-addr",
                    "127.0.0.1",
                    "--nproc-per-node",
                    std::to_string(spec.ranks_per_node),
                    "--max-restarts",
                    "0",
                    "--tee",
                    "3",
                    "--log-dir",
                    spec.part_dir + "/torchrun",
                    kNoPython};
  auto rank = rank_command(spec, program);
  command.tokens.insert(command.tokens.end(), rank.tokens.begin(), rank.tokens.end());
  command.environment = std::move(rank.environment);
  command.environment.insert({{"PYTHONUNBUFFERED", "1"},  // else lines come when some thousand bytes of them are there
                              {"TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE", kTorchrunLabel}});
  return command;
}

Binding torchrun_binding(std::int64_t ranks_per_node, const std::vector<std::string>& hosts) {
  if (!hosts.empty()) return agents_binding(ranks_per_node, hosts);
  return {false, "none: torchrun leaves all cores to every rank"};
}

std::unique_ptr<RunningLaunch> start_torchrun(const LaunchSpec& spec, const Program& program, Supervision supervision) {
  if (!program.hosts.empty()) return start_torchrun_on_nodes(spec, program, std::move(supervision));
  return std::make_unique<TorchrunLaunch>(spec, torchrun_command(spec, program), std::move(supervision));
}

}  // namespace ddpbench
