#pragma once
#include <string>

namespace ddpbench {

// What the process finds around it.

// "" where the variable is not set.
std::string environment_variable(const char* name);

// Where this program keeps what it can make again: $XDG_CACHE_HOME/ddpbench, else ~/.cache/ddpbench; "" where there is neither. By the XDG
// rules a relative path in the variable is ignored.
std::string cache_folder();

// "unknown" where the system does not say.
std::string host_name();

}  // namespace ddpbench
