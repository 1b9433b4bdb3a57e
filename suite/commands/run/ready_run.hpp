#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/run/interim_looks.hpp"
#include "suite/launch/probe/node_probe.hpp"
#include "suite/plan/plan.hpp"
#include "suite/runs/planned_data.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Holds everything that is decided before the first rank starts.
struct ReadyRun {
  Installation installation;  // whose worker trains
  const Launcher& launcher;
  Allocation allocation;
  Vocabulary vocabulary;
  Experiment experiment;
  Probe probe;
  Plan plan;
  std::map<std::string, DataFolder> data;
};

// Reads the experiment, asks where ranks will run what is there, plans, and looks whether all that launches need is there.
// `part`: K/N, or "" for all. Throws UsageError with every mistake, CannotRun where nothing can be started.
ReadyRun get_ready(const Installation& installation, const ExperimentChoice& choice, const LaunchChoice& launch,
                   const std::string& part = "");

// Plans so many launches of every cell, and looks at them. Throws UsageError where `launches` is an axis of the experiment.
void plan_launches(ReadyRun& ready, const InterimPlan& plan);

// Returns what a folder that is to be continued holds; an empty ExistingRun where it is none yet.
ExistingRun begun_run(const std::string& path, const Vocabulary& vocabulary);

// Returns the rows of plan.csv, each with a command that can be pasted.
std::vector<PlanRow> plan_rows(const ReadyRun& ready);

// Makes the folder `path` for the run, or with `resume` takes it over where it holds this experiment.
ResultsFolder open_folder(const ReadyRun& ready, const std::string& path, bool resume,
                          std::chrono::system_clock::time_point started);

}  // namespace ddpbench
