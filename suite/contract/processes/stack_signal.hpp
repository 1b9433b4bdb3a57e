#pragma once
#include <csignal>

namespace ddpbench {

// Asks a rank of a launch that hangs where it stands: arms in Python write their stack to standard error
// (harness/python/ddpbench_arms/process.py). Whoever does not know the signal passes it by: that is what systems do with it.
inline constexpr int kStackSignal = SIGURG;

}  // namespace ddpbench
