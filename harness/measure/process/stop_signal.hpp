#pragma once

namespace ddpbench {

// SIGTERM and SIGINT ask this rank to stop at the next step's end. Once per process.
void watch_stop_signals();
bool stop_requested();

// Throws Stopped where a signal came.
void stop_if_requested();

}  // namespace ddpbench
