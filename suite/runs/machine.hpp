#pragma once
#include <nlohmann/json_fwd.hpp>

#include "suite/launch/machines/allocation.hpp"

namespace ddpbench {

// Returns what this machine is and how busy it is now: hostname, kernel, CPU model, cores, memory, load, network interfaces.
nlohmann::ordered_json machine_facts();

// Returns the job that this process is in and its nodes, or those that the user named.
nlohmann::ordered_json allocation_facts(const Allocation& allocation);

}  // namespace ddpbench
