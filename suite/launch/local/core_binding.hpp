#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "suite/base/node_layout.hpp"

namespace ddpbench {

// Is how many cores a rank needs to be bound. On a single one its main thread and its backend's threads take turns, and gloo's
// event loop then spins for whole time slices beside the thread that holds the lock it wants: the null model's step over two
// ranks went from 0.7 to 2.9 ms on a host of two cores.
inline constexpr std::ptrdiff_t kFewestCoresPerRank = 2;

// Holds the cores of one rank, by number.
using Share = std::vector<Core>;

// Gives each rank the same number of cores that lie together: on one memory node where that can be, and whole physical cores
// (what does not divide stays idle, so that no rank is faster than another). Each gets the share that is nearest to `wanted`, by
// rank the memory node of its GPU (-1: any), as long as it is not taken; without them the shares are in order. A rank's memory
// lies with its cores: the system takes a page from the node of the core that first writes to it. Empty where there are fewer
// than kFewestCoresPerRank for each: all ranks then run unbound.
std::vector<Share> share_cores(const std::vector<Core>& cores, std::size_t ranks, const std::vector<int>& wanted = {});

// Returns the memory node of the GPU that a rank takes: that of its local number, or the one that it sees alone; -1: none, or not
// known.
int gpu_memory_of(const NodeLayout& layout, std::size_t local_rank);

// Returns the shares of ranks that all see the whole layout.
std::vector<Share> share_layout(const NodeLayout& layout, std::size_t ranks);

// Returns the core that each rank's main thread keeps to once its other threads are there, which run where they like. Serves
// ranks that cannot be bound because each gets one core: a main thread that wanders from core to core finds its caches cold.
// Empty where ranks are bound, or are more than cores.
std::vector<int> main_cores(const NodeLayout& layout, std::size_t ranks);

// Returns the cores as start_child() takes them.
std::vector<int> numbers_of(const std::vector<Core>& cores);

// Returns "rank 0: 0-3, rank 1: 4-7", with their memory nodes where the machine has several; "main threads alone: rank 0: 0, rank
// 1: 1 (…)"; or why nothing is bound.
std::string describe_binding(const NodeLayout& layout, std::size_t ranks);

}  // namespace ddpbench
