#pragma once
#include <string>

#include "suite/contract/exit_code.hpp"

namespace ddpbench {

// Of the jobs in a folder that `ddpbench submit` made. Throw UsageError where it is none.
ExitCode print_job_states(const std::string& folder);

// Every job is tried; throws CannotRun with those that could not be ended.
ExitCode cancel_jobs(const std::string& folder);

}  // namespace ddpbench
