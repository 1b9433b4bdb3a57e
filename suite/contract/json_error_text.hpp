#pragma once
#include <exception>
#include <string>

namespace ddpbench {

// Returns what an exception of the JSON library says, without the library's own name before it: "type must be number, but is
// string".
std::string json_error_text(const std::exception& error);

}  // namespace ddpbench
