#pragma once
#include <sys/types.h>

namespace ddpbench {

// What the system says of a process of this machine (/proc/PID/stat); a process that is gone has used nothing and is not stopped.
struct ProcessState {
  bool stopped = false;    // by SIGSTOP, a debugger, or a batch system that suspends
  double cpu_seconds = 0;  // of all its threads
};
ProcessState process_state(pid_t pid);

}  // namespace ddpbench
