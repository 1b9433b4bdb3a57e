#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// Says in a sentence what a library's error means and what would help, with the key or limit; "" for one that is not known here.
// `root` stands before every path, for tests.
std::string explain_library_error(std::string_view library_text, const std::string& root = "");

// Is what the dynamic loader says where it lacks memory.
inline constexpr const char* kNoMoreMemory = "failed to map segment from shared object";

// Names the limits that are set: "a limit on processes and threads is reached (pids.max of its control group is 6, ulimit -u is
// 95000)".
std::string process_limit_phrase(const std::string& root = "");

}  // namespace ddpbench
