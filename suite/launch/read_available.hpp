#pragma once
#include <string>

#include "suite/launch/unique_fd.hpp"

namespace ddpbench {

// Appends what a non-blocking descriptor holds now; closes it at its end. Does nothing when it is closed.
void read_available(UniqueFd& fd, std::string& text);

}  // namespace ddpbench
