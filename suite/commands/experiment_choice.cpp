#include "suite/commands/experiment_choice.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/mpi_backends.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/plan/find_experiment.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {
namespace {

constexpr const char* kMpirun = "mpirun";

}  // namespace

void add_experiment_arguments(CLI::App& app, ExperimentChoice& choice) {
  app.add_option("EXPERIMENT", choice.experiment, "a TOML file, or the name of a shipped experiment")->required();
  add_repeated_option(app, "--set", choice.overrides.settings,
                      "KEY=VALUE, or KEY=A,B to compare values, for example ranks_per_node=1,2 (may be repeated)");
  add_repeated_option(app, "--constraint", choice.overrides.constraints,
                      "keep the cells for which this is true, for example 'nodes <= 4' (may be repeated)");
  app.add_flag("--quick", choice.overrides.quick, "a shorter run: the values of the experiment's table [quick]");
}

void add_node_arguments(CLI::App& app, LaunchChoice& choice) {
  app.add_option("--launcher", choice.launcher,
                 "one of " + known_names(launchers()) +
                     " (default: srun in a job of Slurm's, pbsdsh in one of PBS's, ssh with --hosts, mpirun where the backend "
                     "mpi is asked for, else local)");
  app.add_option("--hosts", choice.hosts,
                 "the nodes to run on: NODE,NODE or a file with a node on each line (default: those of the job)");
}

void add_launch_arguments(CLI::App& app, LaunchChoice& choice) {
  add_node_arguments(app, choice);
  app.add_option("--data", choice.data, "folder with the data set (default: $DDPBENCH_DATA, else $DSDIR, else generated images)");
}

bool runs_over_mpi(const Experiment& experiment, const Vocabulary& vocabulary, const std::optional<Probe>& probe) {
  const auto backend =
      std::find_if(experiment.axes.begin(), experiment.axes.end(), [](const Axis& axis) { return axis.name == "backend"; });
  if (backend == experiment.axes.end() || !holds(backend->values, kMpiBackend)) return false;
  const auto plan = make_plan(experiment, vocabulary, availability_from(probe, kMpirun), PlanDepth::kFirstRepetition);
  return std::any_of(plan.launches.begin(), plan.launches.end(), [](const PlannedLaunch& launch) {
    return launch.skip_reason.empty() && launch.spec.backend == kMpiBackend;
  });
}

const Launcher& chosen_launcher(const std::string& name, const Allocation& allocation, bool over_mpi) {
  std::string fitting(default_launcher(allocation));
  const auto& mpirun = find_entry(launchers(), "launcher", kMpirun);
  if (over_mpi && fitting == "local" && mpirun.why_not({}, allocation).empty()) fitting = kMpirun;
  const auto& launcher = find_entry(launchers(), "launcher", name.empty() ? fitting : name);
  if (allocation.is_named && launcher.scope == LauncherScope::kThisMachine)
    throw UsageError("--hosts names nodes, but launcher '" + name + "' starts ranks on this machine only");
  return launcher;
}

void add_repeated_option(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app.add_option(name, values, help)->allow_extra_args(false);
}

Experiment read_experiment(const ExperimentChoice& choice, const Installation& installation, const Vocabulary& vocabulary) {
  const auto file = find_experiment(choice.experiment, installation.share.string());
  return parse_experiment(file.text, file.path, vocabulary, choice.overrides);
}

}  // namespace ddpbench
