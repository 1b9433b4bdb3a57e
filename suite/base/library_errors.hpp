#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// What a library's error means and what would help, in a sentence that names the key or limit; "" where it is none that is known here.
// `root`: stands before every path, for tests.
std::string explain_library_error(std::string_view library_text, const std::string& root = "");

// The dynamic loader says this where it lacks memory.
inline constexpr const char* kNoMoreMemory = "failed to map segment from shared object";

// "a limit on processes and threads is reached (pids.max of its control group is 6, ulimit -u is 95000)": those that are set.
std::string process_limit_phrase(const std::string& root = "");

}  // namespace ddpbench
