#pragma once
#include <string>
#include <vector>

#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/run/interim_looks.hpp"

namespace ddpbench {

// Holds what `ddpbench compare` was called with.
struct CompareArguments {
  std::vector<std::string> what;  // an experiment, or results folders
  std::string base, fresh;        // builds
  Overrides overrides;
  LaunchChoice launch;
  std::string out, threshold, junit, json, markdown, bisect;
  StoppingRequest looks;
  bool resume = false, once = false, costs_only = false, require_verdict = false, tables_only = false;
};

}  // namespace ddpbench
