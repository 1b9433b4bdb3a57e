#pragma once
#include <sys/resource.h>

namespace ddpbench {

// Returns the largest resident set of this process so far, MiB: what of it stood in memory at one time, libraries included.
inline double largest_resident_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

}  // namespace ddpbench
