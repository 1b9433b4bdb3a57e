#pragma once
#include <cstdint>

namespace ddpbench {

// Counts, from the first call on and for the rest of the process, the bytes that tensors take of the host's memory, but for those
// made before. An allocator of ours stands before LibTorch's own: what it adds to an allocation is a time that nobody measures
// here.
void count_tensor_memory();

// Returns the most so far, in bytes as the allocator gave them; 0 before count_tensor_memory().
std::int64_t peak_host_tensor_bytes();

}  // namespace ddpbench
