#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "suite/launch/processes/child_process.hpp"

namespace ddpbench {

// Holds what a child wrote to its outputs, and how it ended.
struct CapturedRun {
  std::string out, err;
  int exit_code = 0;
  int signal = 0;            // not 0: it was killed by this signal
  std::string why_killed{};  // by the system, as far as that tells
  double timed_out_s = 0;    // not 0: after so long it was killed by us
  bool clean() const { return exit_code == 0 && signal == 0; }
};

// Returns "gave no answer in 30 s and was stopped", "was killed by signal 11 (Segmentation fault)", "ended with exit code 3".
std::string how_it_ended(const CapturedRun& run);

// Gets each line of a child's standard error as it comes.
using LineListener = std::function<void(std::string_view line)>;

// Starts a child (its begin is bounded by the same time), waits for its end and keeps what it said. After `timeout_seconds` it is
// killed (signal 9); with it ends what it left in its process group. Throws as start_child does.
CapturedRun run_captured(const ChildRequest& request, double timeout_seconds, const LineListener& heard = {});

}  // namespace ddpbench
