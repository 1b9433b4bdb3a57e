#pragma once
#include <sys/types.h>

#include <vector>

namespace ddpbench {

// The cores that a thread may use, ascending; 0: the calling one. Throws CannotRun with the system's reason.
std::vector<int> allowed_cores(pid_t thread = 0);

// The same as sched_setaffinity(2) takes them.
std::vector<unsigned long> core_mask(const std::vector<int>& cores);

}  // namespace ddpbench
