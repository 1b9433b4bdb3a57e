#pragma once
#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Looks at every file of weights that a launch of the plan starts from, skipped ones aside. Throws one UsageError with what is wrong with
// each of them.
void check_weights_files(const Plan& plan);

// Asks the worker whether they fit their models: once for each model and file, and of the first kMostModels only (each costs a start of the
// worker; it says the same of the others when they are launched). Throws UsageError with what it says.
inline constexpr std::size_t kMostModels = 8;
void check_weights_fit(const Plan& plan, const Installation& installation);

}  // namespace ddpbench
