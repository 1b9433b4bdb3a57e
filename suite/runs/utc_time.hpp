#pragma once
#include <chrono>
#include <string>

namespace ddpbench {

// Writes "2025-05-01T12:00:00Z".
std::string utc_text(std::chrono::system_clock::time_point time);

// Writes "20250501T120000Z", for names of files.
std::string utc_name(std::chrono::system_clock::time_point time);

}  // namespace ddpbench
