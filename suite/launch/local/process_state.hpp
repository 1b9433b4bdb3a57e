#pragma once
#include <sys/types.h>

#include <vector>

namespace ddpbench {

// What the system says of a process of this machine (/proc/PID/stat); one that has ended has used nothing and is not stopped.
struct ProcessState {
  bool running = false;
  bool stopped = false;    // by SIGSTOP, a debugger, or a batch system that suspends
  double cpu_seconds = 0;  // of all its threads
};
ProcessState process_state(pid_t pid);

// The processes that this one started and has not reaped, and those that were left to it.
std::vector<pid_t> children_of(pid_t pid);

}  // namespace ddpbench
