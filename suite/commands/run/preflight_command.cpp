#include <signal.h>

#include <iostream>
#include <memory>

#include "suite/base/errors.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/run/node_check_report.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/launch/probe/node_probe.hpp"
#include "suite/launch/processes/stop_signals.hpp"

namespace ddpbench {
namespace {

constexpr const char* kGpuBackend = "nccl";
constexpr const char* kCpuBackend = "gloo";

struct PreflightArguments {
  LaunchChoice launch;
  std::string backend;
  std::int64_t ranks_per_node = 0;  // 0: one for each GPU, or one
};

// What nodes can use, where that was not said.
void choose(PreflightArguments& arguments, const Availability& availability) {
  const auto reasons = availability.why_not.find("backend");
  const bool has_gpus =
      availability.gpus > 0 && (reasons == availability.why_not.end() || reasons->second.count(kGpuBackend) == 0);
  if (arguments.backend.empty()) arguments.backend = has_gpus ? kGpuBackend : kCpuBackend;
  if (arguments.ranks_per_node == 0) arguments.ranks_per_node = arguments.backend == kGpuBackend ? availability.gpus : 1;
  if (arguments.ranks_per_node == 0)
    throw CannotRun("--backend " + arguments.backend + ": the first node has no GPU that ranks can use");
}

ExitCode look(PreflightArguments arguments) {
  const StopAtOnce stop_at_once;
  const auto installation = find_installation();
  const auto allocation = find_allocation(arguments.launch.hosts);
  const auto& launcher = chosen_launcher(arguments.launch.launcher, allocation);
  if (allocation.hosts.size() < 2)
    throw UsageError("there are no two nodes to compare: start it in a job of several nodes, or name them with --hosts");
  if (launcher.scope == LauncherScope::kThisMachine)
    throw UsageError("--launcher " + std::string(launcher.name) + " starts ranks on this machine only");
  require_available(launcher, installation, allocation);
  const auto vocabulary = installed_vocabulary(installation);
  if (!arguments.backend.empty()) find_entry(vocabulary.backends, "backend", arguments.backend);
  const auto probe = probe_where_ranks_run(launcher, allocation, installation, vocabulary.worker_build_id);
  choose(arguments, availability_from(probe, launcher.name, allocation));
  const auto look =
      check_and_judge_nodes({installation, launcher, allocation.hosts, arguments.ranks_per_node, arguments.backend});
  if (look.checked.stop_signal != 0) ::raise(look.checked.stop_signal);
  print_nodes(look, std::cout);
  remember_look(look, "");
  if (!look.checked.failure.empty() || !look.answer.bad.empty()) return ExitCode::kDoneWithFailures;
  std::cout << "all nodes are alike\n";
  return ExitCode::kDone;
}

CommandAction declare_preflight(CLI::App& app) {
  constexpr int kMostRanksOfANode = 1024;
  const auto arguments = std::make_shared<PreflightArguments>();
  add_node_arguments(app, arguments->launch);
  app.add_option("--ranks-per-node", arguments->ranks_per_node, "ranks of each node (default: one for each GPU, else one)")
      ->check(CLI::Range(1, kMostRanksOfANode));
  app.add_option("--backend", arguments->backend, "over which they meet (default: nccl where there are GPUs, else gloo)");
  return [arguments] { return look(*arguments); };
}

}  // namespace

CommandEntry preflight_command() {
  return {"preflight",
          "Names slow and broken nodes of a job before it measures",
          "Starts ranks on all nodes at once. Each does the same matrix product, copy in memory and all-reduce, 24 times; "
          "a node\n"
          "that takes longer than the others is named, with what it takes longer for. `run` does the same first. It takes "
          "seconds.",
          "ddpbench preflight --hosts node1,node2",
          "0 all nodes are alike; 1 one is slow or broken, or they could not be compared; 2 a mistake in the command;\n"
          "3 it could not run at all",
          declare_preflight};
}

}  // namespace ddpbench
