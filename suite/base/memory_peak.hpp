#pragma once
#include <algorithm>
#include <cstdint>

namespace ddpbench {

// Converts bytes to MiB.
constexpr double mib_of(std::int64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0); }

// Holds the most bytes of a device's memory (of the host's, without a device) within some time. `allocated`: that tensors took.
// `reserved`: that the caching allocator held; 0: the host has none. The two need not be of one instant.
struct MemoryPeak {
  std::int64_t allocated = 0, reserved = 0;

  void raise_to(const MemoryPeak& other) {
    allocated = std::max(allocated, other.allocated);
    reserved = std::max(reserved, other.reserved);
  }
};

}  // namespace ddpbench
