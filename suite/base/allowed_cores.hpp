#pragma once
#include <vector>

namespace ddpbench {

// The cores that this process may use, ascending. Throws CannotRun with the system's reason.
std::vector<int> allowed_cores();

}  // namespace ddpbench
