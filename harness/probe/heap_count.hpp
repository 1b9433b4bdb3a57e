#pragma once
#include <cstdint>

namespace ddpbench {

// Counts calls of operator new on this thread, where the process counts them: heap_count.cpp, which the worker alone links, puts
// operators that count in the place of the library's. Costs one addition each, in every arm alike.
inline thread_local std::int64_t heap_allocations = 0;
// Says whether this process counts them.
inline bool counts_heap_allocations = false;

}  // namespace ddpbench
