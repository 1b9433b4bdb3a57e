#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "suite/commands/commands.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/contract/registry.hpp"
#include "suite/launch/installed_vocabulary.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/launch/node_probe.hpp"
#include "suite/launch/python_host.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/plan_text.hpp"
#include "suite/runs/planned_data.hpp"
#include "suite/runs/planned_releases.hpp"
#include "suite/runs/planned_weights.hpp"
#include "suite/runs/resolution_history.hpp"

namespace ddpbench {
namespace {

struct PlanArguments {
  ExperimentChoice choice;
  LaunchChoice launch;
  bool all_commands = false;
};

// Folders that the printed commands name and nobody has made yet.
std::set<std::string> missing_data(const Plan& plan, const std::string& data_option) {
  std::set<std::string> missing;
  for (const auto& launch : plan.launches) {
    const auto path = launch.skip_reason.empty() ? expected_data(launch, data_option) : "";
    std::error_code unreadable;
    if (!path.empty() && !std::filesystem::exists(path, unreadable)) missing.insert(path);
  }
  return missing;
}

ExitCode print_plan(const PlanArguments& arguments) {
  const auto installation = find_installation();
  const auto allocation = find_allocation(arguments.launch.hosts);
  const auto& launcher = chosen_launcher(arguments.launch.launcher, allocation);
  const auto vocabulary = installed_vocabulary(installation);
  const auto experiment = read_experiment(arguments.choice, installation, vocabulary);
  auto probe = runs_elsewhere(launcher, allocation) ? std::nullopt : kept_probe(installation, vocabulary.worker_build_id);
  const auto arms = arm_facts(vocabulary, experiment.arms);
  if (probe && is_hosted_by_python(arms)) add_python_arms(*probe, installation, vocabulary.arms);
  const auto availability = availability_from(probe, launcher.name, allocation);
  const auto command = [&](const PlannedLaunch& launch) {
    const auto program = planned_program(launch, arms, installation, allocation.hosts);
    return pasteable_command(launcher, launch.spec, program, expected_data(launch, arguments.launch.data));
  };
  const auto depth = arguments.all_commands ? PlanDepth::kEveryLaunch : PlanDepth::kFirstRepetition;
  const auto plan = make_plan(experiment, vocabulary, availability, depth);
  check_weights_files(plan);
  check_lightning_releases(plan, installation);
  const auto resolution = [known = known_resolutions()](const PlannedLaunch& launch) { return resolution_words(known, launch); };
  std::cout << plan_text(plan, experiment, {command, resolution, arguments.all_commands, availability.probed});
  for (const auto& path : missing_data(plan, arguments.launch.data)) {
    std::cout << "no data set at " << path << " yet: `ddpbench run` generates it, or give --data\n";
  }
  return ExitCode::kDone;
}

}  // namespace

CommandAction declare_plan(CLI::App& app) {
  const auto arguments = std::make_shared<PlanArguments>();
  add_experiment_arguments(app, arguments->choice);
  add_launch_arguments(app, arguments->launch);
  app.add_flag("--all-commands", arguments->all_commands, "all cells, and the command of every launch");
  return [arguments] { return print_plan(*arguments); };
}

}  // namespace ddpbench
