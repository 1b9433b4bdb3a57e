#pragma once
#include <string>
#include <vector>

#include "suite/launch/child_process.hpp"
#include "suite/launch/installation.hpp"

namespace ddpbench {

// `python -m MODULE ARGUMENTS…` of this installation's Python packages. Throws CannotRun where it has no interpreter.
ChildRequest python_module(const Installation& installation, const std::string& module,
                           const std::vector<std::string>& arguments);

}  // namespace ddpbench
