#pragma once
#include <span>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Every way of starting ranks; the order of `list launchers`.
std::span<const LauncherEntry> launchers();

// The command as a person can type it: "RANK=0 … /path/ddpbench-worker --launch-id L0001 …", quoted for a shell.
std::string shell_text(const RankCommand& command);

}  // namespace ddpbench
