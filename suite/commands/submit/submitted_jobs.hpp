#pragma once
#include <string>

#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {

// Holds a table of the jobs in a folder that `ddpbench submit` made: a line each, with what the batch system says of it and what
// is measured.
struct JobStates {
  std::string text;
  std::string why{};     // lines: of jobs that failed or ended before all was measured, their last words and where their logs are
  std::string untold{};  // lines: why the batch system does not tell of a job
  bool may_go_on = false;  // one of them waits, runs, or is not told of
  ExitCode exit_code() const { return why.empty() ? ExitCode::kDone : ExitCode::kDoneWithFailures; }
};

// Asks the batch system about the jobs in such a folder. Throws UsageError where it is none.
JobStates states_of_jobs(const std::string& folder);

// Prints the same, what is untold on the standard error; returns JobStates::exit_code. Throws the same.
ExitCode print_job_states(const std::string& folder);

// Ends every job; throws CannotRun with those that could not be ended.
ExitCode cancel_jobs(const std::string& folder);

}  // namespace ddpbench
