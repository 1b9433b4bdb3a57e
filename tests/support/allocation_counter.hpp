#pragma once
#include <cstdint>

namespace ddpbench {

// Calls of the global operator new by this thread since the program began. A test program that uses it lists allocation_counter.cpp, which
// replaces the global operators.
std::int64_t allocations();

}  // namespace ddpbench
