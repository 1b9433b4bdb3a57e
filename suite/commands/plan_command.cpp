#include <iostream>
#include <memory>

#include "suite/commands/commands.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/contract/registry.hpp"
#include "suite/launch/installed_vocabulary.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/launch/probe.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/plan_text.hpp"

namespace ddpbench {
namespace {

struct PlanArguments {
  ExperimentChoice choice;
  bool all_commands = false;
};

ExitCode print_plan(const PlanArguments& arguments) {
  const auto installation = find_installation();
  const auto vocabulary = installed_vocabulary(installation);
  const auto experiment = read_experiment(arguments.choice, installation, vocabulary);
  const auto availability = availability_from(kept_probe(installation, vocabulary.worker_build_id), "local");
  const auto& launcher = find_entry(launchers(), "launcher", availability.launcher);
  const auto command = [&](const LaunchSpec& spec) {
    return shell_text(launcher.command(spec, installation.worker.string(), 0));
  };
  const auto depth = arguments.all_commands ? PlanDepth::kEveryLaunch : PlanDepth::kFirstRepetition;
  std::cout << plan_text(make_plan(experiment, vocabulary, availability, depth), experiment,
                         {command, arguments.all_commands, availability.probed});
  return ExitCode::kDone;
}

}  // namespace

CommandAction declare_plan(CLI::App& app) {
  const auto arguments = std::make_shared<PlanArguments>();
  add_experiment_arguments(app, arguments->choice);
  app.add_flag("--all-commands", arguments->all_commands, "all cells, and the command of every launch");
  return [arguments] { return print_plan(*arguments); };
}

}  // namespace ddpbench
