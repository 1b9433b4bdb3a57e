#pragma once
#include <string>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Returns the command as a person can paste it into a shell: "RANK=0 … /path/ddpbench-worker --launch-id L0001 …". Several copies
// become one loop that starts them side by side and waits for all; its exit status is that of the last one, where that is not 0.
std::string shell_text(const LaunchCommand& command);

// Returns one word of it, quoted where it needs to be.
std::string shell_quoted(const std::string& word);

}  // namespace ddpbench
