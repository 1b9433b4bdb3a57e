#pragma once
#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {

// Reads the arguments (without the program's name) and does what they ask. Throws UsageError naming what is legal for arguments
// that are not; else what the command throws.
ExitCode run_command_line(const std::vector<std::string>& arguments);

}  // namespace ddpbench
