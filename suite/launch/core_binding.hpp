#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace ddpbench {

// The cores that this process may use, ascending.
std::vector<int> allowed_cores();

// Neighbouring cores for each rank, the same number for all (what does not divide stays idle, so that no rank is faster than
// another); empty where there are fewer cores than ranks: all ranks then run unbound.
std::vector<std::vector<int>> share_cores(const std::vector<int>& cores, std::size_t ranks);

// "rank 0: 0-3, rank 1: 4-7", or why nothing is bound.
std::string describe_binding(const std::vector<std::vector<int>>& shares, std::size_t cores, std::size_t ranks);

}  // namespace ddpbench
