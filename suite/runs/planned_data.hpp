#pragma once
#include <map>
#include <string>

#include "suite/formats/data_folder.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Looks up, checks or generates every data set that a launch of the plan reads, skipped ones aside; returns folder and origin of
// each, by name. Throws UsageError for files that are wrong, CannotRun where they cannot be generated.
std::map<std::string, DataFolder> planned_data(const Plan& plan, const std::string& data_option);

// Returns the folder that a launch's `--data` will name, but checks and makes nothing; "" where it reads none.
std::string expected_data(const PlannedLaunch& launch, const std::string& data_option);

// Says where the data come from: "cifar10: generated (seed 1): …"; "none is read".
std::string describe_origins(const std::map<std::string, DataFolder>& data, bool trains_modules);

}  // namespace ddpbench
