#pragma once

namespace ddpbench {

// Lists the exit codes of every program of the project (docs/contract.md): scripts hold on to them.
enum class ExitCode : int {
  kDone = 0,
  kDoneWithFailures = 1,  // a launch failed, a result was wrong, the disk filled, a budget was rejected, no page
  kUsage = 2,             // arguments, experiment, data, results folder
  kCouldNotRun = 3,       // no LibTorch, folder not writable, no Python
  kNoVerdict = 4,         // with --require-verdict
  kStopped = 75,          // by a signal or a time limit; --resume continues (EX_TEMPFAIL)
  kNothingRunsHere = 77,  // every point was skipped
};

}  // namespace ddpbench
