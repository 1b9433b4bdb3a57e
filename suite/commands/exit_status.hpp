#pragma once
#include <functional>
#include <ostream>

#include "suite/contract/exit_code.hpp"

namespace ddpbench {

// Runs `work`; what it throws ends as a message on `messages` ("ddpbench: …", every line) and CONTRACT's exit code. The only place
// where an exception becomes a number.
ExitCode guarded(const std::function<ExitCode()>& work, std::ostream& messages);

}  // namespace ddpbench
