#pragma once

namespace ddpbench {

// Holds the number of the core that the rank's main thread keeps to once its other threads are there; "" or not set: to none. A
// wish: where it cannot be, the thread runs where it likes.
inline constexpr const char* kMainCoreVariable = "DDPBENCH_MAIN_CORE";

// Holds the cores that a process was given by the one that started it, "0-3,8"; not set: it was started by hand.
inline constexpr const char* kCoresVariable = "DDPBENCH_CORES";

}  // namespace ddpbench
