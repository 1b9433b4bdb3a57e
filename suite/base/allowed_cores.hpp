#pragma once
#include <sys/types.h>

#include <vector>

namespace ddpbench {

// Returns the cores that a thread may use, ascending; thread 0 is the calling one. Throws CannotRun with the system's reason.
std::vector<int> allowed_cores(pid_t thread = 0);

// Returns the same cores as the bit mask that sched_setaffinity(2) takes.
std::vector<unsigned long> core_mask(const std::vector<int>& cores);

}  // namespace ddpbench
