#pragma once
#include <string>

#include "suite/launch/child_process.hpp"

namespace ddpbench {

struct CapturedRun {
  std::string out, err;
  int exit_code = 0;
  int signal = 0;  // not 0: it died by this signal
};

// Starts a child, waits for its end and keeps what it said. After `timeout_seconds` its process group is killed (signal 9).
CapturedRun run_captured(const ChildRequest& request, double timeout_seconds);

}  // namespace ddpbench
