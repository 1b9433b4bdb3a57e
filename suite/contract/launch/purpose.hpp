#pragma once
#include <array>
#include <string_view>

// Says what a launch is started for: LaunchSpec::purpose, on the command line of its ranks.
namespace ddpbench::purpose {
inline constexpr const char* kTime = "time";                // blocks of its arms
inline constexpr const char* kMemory = "memory";            // the peak of its one arm, without blocks
inline constexpr const char* kNodes = "nodes";              // what its nodes can do; trains nothing
inline constexpr const char* kCollectives = "collectives";  // its cases by its arms (collectives.hpp); trains nothing
inline constexpr std::array<std::string_view, 4> kAll{kTime, kMemory, kNodes, kCollectives};  // every legal purpose
}  // namespace ddpbench::purpose
