#pragma once
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suite/store/results_folder.hpp"

namespace ddpbench {

// Returns `path` from the root folder on. Throws UsageError where the working folder is gone; `option` is what else could be
// given.
std::string absolute_path(const std::string& path, const std::string& option);

// Returns where a run's results go, absolute: `out` (--out), or where that is empty results/NAME-UTC, which is made here: of two
// runs that begin in one second (the tasks of a job array) the later one has NAME-UTC-2. Throws UsageError where it cannot be a
// folder that is read, CannotRun where it cannot be made.
std::string run_folder(const std::string& out, const std::string& name, std::chrono::system_clock::time_point started);

// Returns whether there is a folder with something in it. Takes a path from run_folder.
bool holds_something(const std::string& folder);

// Returns whether a run has begun there, which --resume can go on with: not where it is half made.
bool is_begun(const std::string& folder);

// Makes a new results folder; with `resume` also in the place of one that is half made. Throws as ResultsFolder::create does.
ResultsFolder begin_folder(const std::string& path, bool resume, const std::string& experiment_toml,
                           const std::vector<PlanRow>& plan, const nlohmann::ordered_json& environment);

}  // namespace ddpbench
