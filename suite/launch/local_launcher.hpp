#pragma once
#include <cstdint>
#include <string>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Ranks as processes of this machine, with torchrun's environment. MASTER_PORT is torchrun's default, for who types the command by
// hand; RankProcesses puts the port of the socket that it opened in its place.
RankCommand local_command(const LaunchSpec& spec, const std::string& worker_path, std::int64_t rank);

}  // namespace ddpbench
