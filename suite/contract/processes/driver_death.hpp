#pragma once

namespace ddpbench {

// Holds the process id of the driver, for ranks that another program starts for it: they must not outlive either of the two.
inline constexpr const char* kDriverVariable = "DDPBENCH_DRIVER_PID";

// Makes the system kill this process (signal 9) as soon as the process that started it has died. Ends it at once (exit code 1)
// where the driver, or what the driver started this process by, has died already. Does nothing where the variable is not set.
void die_with_driver();

}  // namespace ddpbench
