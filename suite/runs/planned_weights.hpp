#pragma once
#include "suite/launch/installation.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Looks at every file of weights that a launch of the plan starts from, skipped ones aside. Throws one UsageError with what is
// wrong with each of them.
void check_weights_files(const Plan& plan);

// Bounds the models that check_weights_fit asks about: each costs a start of the worker.
inline constexpr std::size_t kMostModels = 8;

// Asks the worker whether weights fit their models, once for each model and file, of the first kMostModels; it says the same of
// the others when they are launched. Throws one UsageError with all that it says.
void check_weights_fit(const Plan& plan, const Installation& installation);

}  // namespace ddpbench
