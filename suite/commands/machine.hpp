#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddpbench {

// What this machine is and how busy it is now: hostname, kernel, CPU model, cores, memory, load, network interfaces.
nlohmann::ordered_json machine_facts();

// The variables of this process that change how ranks run (threads, collectives, devices, the job).
nlohmann::ordered_json relevant_variables();

}  // namespace ddpbench
