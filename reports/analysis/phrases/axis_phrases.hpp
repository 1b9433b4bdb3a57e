#pragma once
#include <string>

#include "suite/contract/launch/axes.hpp"

namespace ddpbench {

// Returns an axis' value with its unit, as the axis' line in axes.inc says it: "2 ranks per node", "batch 16", "gloo".
std::string axis_phrase(const StandardAxis& axis, const Axes& axes);

}  // namespace ddpbench
