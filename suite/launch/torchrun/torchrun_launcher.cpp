#include "suite/launch/torchrun/torchrun_launcher.hpp"

#include "suite/base/errors.hpp"
#include "suite/base/tcp.hpp"
#include "suite/launch/agents/agent_order.hpp"
#include "suite/launch/captured_run.hpp"
#include "suite/launch/rank_command.hpp"
#include "suite/launch/torchrun/torchrun_launch.hpp"
#include "suite/launch/torchrun/torchrun_on_nodes.hpp"
#include "suite/launch/torchrun/torchrun_words.hpp"

namespace ddpbench {
namespace {

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
