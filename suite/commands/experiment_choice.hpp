#pragma once
#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/launch/installation.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/probe/worker_probe.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {

// Holds the arguments that every command on an experiment has: EXPERIMENT, --set, --constraint.
struct ExperimentChoice {
  std::string experiment;
  Overrides overrides;
};

// Declares these arguments and --quick; they are read into `choice`.
void add_experiment_arguments(CLI::App& app, ExperimentChoice& choice);

// Holds the arguments that say how launches are started, where, and what they read: --launcher, --hosts, --data.
struct LaunchChoice {
  std::string launcher, hosts, data;
};

// Declares these arguments; they are read into `choice`.
void add_launch_arguments(CLI::App& app, LaunchChoice& choice);
void add_node_arguments(CLI::App& app, LaunchChoice& choice);  // --launcher and --hosts alone

// Returns the launcher of that name; for "" the one that fits the job which this process is in, and outside of one mpirun where
// it is here and `over_mpi`: the backend mpi runs, and backends which are compared start alike. Throws UsageError that lists all,
// or says that this one cannot reach the nodes that the user named.
const Launcher& chosen_launcher(const std::string& name, const Allocation& allocation, bool over_mpi = false);

// Returns whether a launch of the experiment on this machine alone, of which `probe` tells, would be over the backend mpi.
bool runs_over_mpi(const Experiment& experiment, const Vocabulary& vocabulary, const std::optional<Probe>& probe);

// Declares an option that may be repeated and takes one value each time.
void add_repeated_option(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& help);

// Finds, reads and checks the experiment. Throws UsageError with every mistake.
Experiment read_experiment(const ExperimentChoice& choice, const Installation& installation, const Vocabulary& vocabulary);

}  // namespace ddpbench
