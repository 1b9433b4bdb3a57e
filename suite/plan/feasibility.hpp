#pragma once
#include <string>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// "" where a cell's launches are possible on the target, else why not (the first reason found, in the order of the axes).
std::string why_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// Its two parts: by workload, strategy, backend and precision alone, and by the number of ranks, devices and nodes.
std::string why_names_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);
std::string why_sizes_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// Alike for cells in which the same names and arms are possible: what the answers about names and arms depend on.
std::string feasibility_key(const LaunchSpec& cell, const Vocabulary& vocabulary);

// The same for an arm of a cell of these names, its features included.
std::string why_arm_not_possible(const std::string& arm, const LaunchSpec& cell, const Vocabulary& vocabulary,
                                 const Availability& availability);

}  // namespace ddpbench
