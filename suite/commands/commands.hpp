#pragma once
#include <span>

#include "suite/commands/command.hpp"

namespace ddpbench {

// Returns every command, in the order of `ddpbench --help`: the lines of commands.inc.
std::span<const CommandEntry> commands();

}  // namespace ddpbench
