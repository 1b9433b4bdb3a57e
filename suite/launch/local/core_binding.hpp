#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace ddpbench {

// A rank is bound only where it gets this many cores. On a single one its main thread and its backend's threads take turns, and
// gloo's event loop then spins for whole time slices beside the thread that holds the lock it wants: the null model's step over
// two ranks went from 0.7 to 2.9 ms on a host of two cores.
inline constexpr std::ptrdiff_t kFewestCoresPerRank = 2;

// Neighbouring cores for each rank, the same number for all (what does not divide stays idle, so that no rank is faster than
// another); empty where there are fewer than kFewestCoresPerRank for each: all ranks then run unbound.
std::vector<std::vector<int>> share_cores(const std::vector<int>& cores, std::size_t ranks);

// "rank 0: 0-3, rank 1: 4-7", or why nothing is bound.
std::string describe_binding(const std::vector<std::vector<int>>& shares, std::size_t cores, std::size_t ranks);

}  // namespace ddpbench
