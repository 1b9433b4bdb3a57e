#pragma once

namespace ddpbench {

// Makes SIGTERM and SIGINT ask this rank to stop at the next step's end. Called once per process.
void watch_stop_signals();
// Says whether such a signal came.
bool stop_requested();

// Throws StoppedError where a signal came.
void stop_if_requested();

}  // namespace ddpbench
