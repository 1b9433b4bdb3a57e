#pragma once
#include <cstdint>

namespace ddpbench {

// Calls of operator new on this thread, where the process counts them: heap_count.cpp, which the worker alone links, puts operators that
// count in the place of the library's. One addition each, in every arm alike.
inline thread_local std::int64_t heap_allocations = 0;
inline bool counts_heap_allocations = false;

}  // namespace ddpbench
