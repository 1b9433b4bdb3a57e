#include "suite/commands/experiment_choice.hpp"

#include "suite/contract/registry.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/plan/find_experiment.hpp"

namespace ddpbench {

void add_experiment_arguments(CLI::App& app, ExperimentChoice& choice) {
  app.add_option("EXPERIMENT", choice.experiment, "a TOML file, or the name of a shipped experiment")->required();
  add_repeated_option(app, "--set", choice.overrides.settings,
                      "KEY=VALUE, or KEY=A,B to compare values, for example ranks_per_node=1,2 (may be repeated)");
  add_repeated_option(app, "--constraint", choice.overrides.constraints,
                      "keep the cells for which this is true, for example 'nodes <= 4' (may be repeated)");
  app.add_flag("--quick", choice.overrides.quick, "less of it, as the experiment's table [quick] says");
}

void add_launch_arguments(CLI::App& app, std::string& launcher, std::string& data) {
  app.add_option("--launcher", launcher,
                 "one of " + known_names(launchers()) + " (default: srun inside a job of Slurm's, else local)");
  app.add_option("--data", data, "folder with the data set (default: $DDPBENCH_DATA, else $DSDIR, else generated images)");
}

const LauncherEntry& chosen_launcher(const std::string& name, const Allocation& allocation) {
  return find_entry(launchers(), "launcher", name.empty() ? std::string(default_launcher(allocation)) : name);
}

void add_repeated_option(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app.add_option(name, values, help)->allow_extra_args(false);
}

Experiment read_experiment(const ExperimentChoice& choice, const Installation& installation, const Vocabulary& vocabulary) {
  const auto file = find_experiment(choice.experiment, installation.share.string());
  return parse_experiment(file.text, file.path, vocabulary, choice.overrides);
}

}  // namespace ddpbench
