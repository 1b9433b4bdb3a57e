#pragma once
#include <string>
#include <vector>

#include "suite/launch/installation.hpp"
#include "suite/launch/processes/child_process.hpp"

namespace ddpbench {

// Returns `python -m MODULE ARGUMENTS…` of this installation's Python packages, but nothing is taken from the working directory,
// where a results folder's neighbours lie: no module, no matplotlibrc (reports/isolated.py). Paths among the arguments must be
// absolute. Throws CannotRun where the installation has no interpreter.
ChildRequest python_module(const Installation& installation, const std::string& module,
                           const std::vector<std::string>& arguments);

}  // namespace ddpbench
