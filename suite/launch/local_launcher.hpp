#pragma once
#include <cstdint>
#include <string>

#include "suite/launch/launcher.hpp"

namespace ddpbench {

// Ranks as processes of this machine, with torchrun's environment. MASTER_PORT is not in it: the starter opens the port.
RankCommand local_command(const LaunchSpec& spec, const std::string& worker_path, std::int64_t rank);

}  // namespace ddpbench
