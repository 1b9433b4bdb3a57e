#pragma once

namespace ddpbench {

// Makes SIGTERM and SIGINT ask this rank to stop at the next step's end. Called at its start, and behind code that may have put
// its own handlers in their place.
void watch_stop_signals();
// Says whether such a signal came.
bool stop_requested();

// Throws StoppedError where a signal came.
void stop_if_requested();

}  // namespace ddpbench
