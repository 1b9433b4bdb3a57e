#pragma once
#include <string>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// "" where a cell's launches are possible on the target, else why not (the first reason found, in the order of the axes).
std::string why_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// Its two parts: by workload, strategy, backend and precision alone, and by the number of ranks, devices and nodes.
std::string why_names_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);
std::string why_sizes_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// Cells with equal keys can have the same names and arms: the answers depend on nothing else.
std::string feasibility_key(const LaunchSpec& cell, const Vocabulary& vocabulary);

// Why an arm, with its features, is not possible in a cell.
std::string why_arm_not_possible(const std::string& arm, const LaunchSpec& cell, const Vocabulary& vocabulary,
                                 const Availability& availability);

}  // namespace ddpbench
