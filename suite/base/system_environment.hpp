#pragma once
#include <string>

namespace ddpbench {

// What the process finds around it.

// Returns "" where the variable is not set.
std::string environment_variable(const char* name);

// Returns the folder for what this program can make again: $XDG_CACHE_HOME/ddpbench, else ~/.cache/ddpbench; "" where there is
// neither. Ignores a relative path in the variable, by the XDG rules.
std::string cache_folder();

// Returns "unknown" where the system does not say.
std::string host_name();

}  // namespace ddpbench
