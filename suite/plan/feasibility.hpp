#pragma once
#include <string>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// "" where a cell's launches are possible on the target, else why not (the first reason found, in the order of the axes).
std::string why_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// The same for an arm of that cell, its features included.
std::string why_arm_not_possible(const std::string& arm, const LaunchSpec& cell, const Vocabulary& vocabulary,
                                 const Availability& availability);

}  // namespace ddpbench
