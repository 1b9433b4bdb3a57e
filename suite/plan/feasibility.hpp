#pragma once
#include <string>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// Says why a cell's launches are not possible on the target (the first reason found, in the order of the axes); "" where they
// are.
std::string why_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// Says the same by workload, strategy, backend and precision alone.
std::string why_names_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// Says the same by the number of ranks, devices and nodes.
std::string why_sizes_not_possible(const LaunchSpec& cell, const Vocabulary& vocabulary, const Availability& availability);

// Returns a key of the cell: cells with equal keys can have the same names and arms; the answers depend on nothing else.
std::string feasibility_key(const LaunchSpec& cell, const Vocabulary& vocabulary);

// Says why an arm, with its features, is not possible in a cell; "" where it is.
std::string why_arm_not_possible(const std::string& arm, const LaunchSpec& cell, const Vocabulary& vocabulary,
                                 const Availability& availability);

}  // namespace ddpbench
