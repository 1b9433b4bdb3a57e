#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "suite/launch/child_process.hpp"

namespace ddpbench {

struct CapturedRun {
  std::string out, err;
  int exit_code = 0;
  int signal = 0;  // not 0: it died by this signal
};

// Starts a child (its begin is bounded by the same time), waits for its end and keeps what it said. After `timeout_seconds` its process group is killed (signal 9).
// `heard` gets each line of its standard error as it comes.
using LineListener = std::function<void(std::string_view line)>;
CapturedRun run_captured(const ChildRequest& request, double timeout_seconds, const LineListener& heard = {});

}  // namespace ddpbench
