#pragma once
#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "suite/purposes/collectives/collective_plan.hpp"

namespace ddpbench {

// Declares the arguments that say which collectives are measured, by which backends, on how many ranks.
void add_collective_arguments(CLI::App& app, CollectivesRequest& request);

// Returns the options of `app` that were given on the command line, as they can be given again.
std::vector<std::string> given_tokens(const CLI::App& app);

}  // namespace ddpbench
