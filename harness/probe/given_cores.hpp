#pragma once
#include <string>

namespace ddpbench {

// Puts the threads of this process back on the cores that it was given ($DDPBENCH_CORES), where a library has bound them to
// others while it was loaded. Returns what was found, "0 (it was given 0-3)"; "" where there was nothing to do, or nobody said
// what was given. Throws CannotRun where the system refuses.
std::string restore_core_affinity();

}  // namespace ddpbench
