#pragma once
#include <cstddef>
#include <functional>

namespace ddpbench {

// Calls work(index, thread) for every index below `count`, on `threads` threads at once (with one: on the caller's own, in
// order). `thread` counts from 0: each may have a buffer of its own. Where calls throw, no further one is begun, and what the
// smallest index threw is thrown here: which of two errors is told does not depend on luck.
void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t index, std::size_t thread)>& work);

// Returns as many threads as this process may use cores, but few enough that their buffers stay small beside what is read.
std::size_t reading_threads();

}  // namespace ddpbench
