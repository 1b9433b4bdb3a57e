#pragma once
#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Returns one rank of a launch as it is started on its node: its tokens, and the variables that are the same for all ranks.
LaunchCommand rank_command(const LaunchSpec& spec, const Program& program);

}  // namespace ddpbench
