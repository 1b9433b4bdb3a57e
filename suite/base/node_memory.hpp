#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// Returns what this node gives to a job, in bytes: its memory, or less where a control group of this process limits it (version 1
// or 2, at any level); 0 where the system does not tell. `root` stands before every path, for tests.
std::int64_t node_memory_bytes(const std::string& root = "");

// Returns the machine's memory in bytes, whatever limits are set; 0 where the system does not tell.
std::int64_t machine_memory_bytes(const std::string& root = "");

}  // namespace ddpbench
