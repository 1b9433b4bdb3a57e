#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// The command line of this process, with more words behind it, as a shell takes it.
std::string own_command_line(const std::vector<std::string>& more = {});

}  // namespace ddpbench
