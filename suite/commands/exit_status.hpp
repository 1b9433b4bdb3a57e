#pragma once
#include <functional>
#include <ostream>

#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {

// Runs `work`; turns what it throws into a message on `messages` ("ddpbench: …", every line) and an exit code (docs/contract.md
// "Exit codes"). The only place where an exception becomes a number.
ExitCode guarded(const std::function<ExitCode()>& work, std::ostream& messages);

}  // namespace ddpbench
