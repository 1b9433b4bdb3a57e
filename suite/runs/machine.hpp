#pragma once
#include <nlohmann/json_fwd.hpp>

namespace ddpbench {

// What this machine is and how busy it is now: hostname, kernel, CPU model, cores, memory, load, network interfaces.
nlohmann::ordered_json machine_facts();

}  // namespace ddpbench
