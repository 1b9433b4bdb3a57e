#pragma once
#include <cstdint>

namespace ddpbench {

// Counts, from the first call on and for the rest of the process, the bytes that tensors take of the host's memory, but for those
// made before. An allocator of ours stands before LibTorch's own: what it adds to an allocation is a time that nobody measures
// here.
void count_tensor_memory();

// Returns the most since it was called last (at first: since count_tensor_memory()), in bytes as the allocator gave them. What
// lives at a call counts before and after it.
std::int64_t take_peak_of_host_tensors();

}  // namespace ddpbench
