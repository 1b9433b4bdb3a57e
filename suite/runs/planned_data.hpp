#pragma once
#include <map>
#include <string>

#include "suite/formats/data_folder.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Folder and origin of every data set that a launch of the plan reads, skipped ones aside: looked up, checked, or generated. Throws
// UsageError for files that are wrong, CannotRun where they cannot be generated.
std::map<std::string, DataFolder> planned_data(const Plan& plan, const std::string& data_option);

// The folder that a launch's `--data` will name, with nothing checked and nothing made; empty where it reads none.
std::string expected_data(const PlannedLaunch& launch, const std::string& data_option);

// "cifar10: generated (seed 1): …"; "none is read".
std::string describe_origins(const std::map<std::string, DataFolder>& data, bool trains_modules);

}  // namespace ddpbench
