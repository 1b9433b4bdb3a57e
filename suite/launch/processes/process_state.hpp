#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace ddpbench {

// Holds what the system says of a process of this machine (/proc/PID/stat); one that has ended has used nothing and is not
// stopped.
struct ProcessState {
  bool running = false;
  bool stopped = false;  // by SIGSTOP, a debugger, or a batch system that suspends
  bool ending =
      false;  // its main thread has begun to end (a kill that it has not met yet does not show): no signal changes how it ends
  double cpu_seconds = 0;         // of all its threads
  double reaped_cpu_seconds = 0;  // of its children that it has waited for, and theirs
  double page_faults = 0;         // likewise: each is a piece of memory or of a file that it touched for the first time
};

// Reads the state; a default one where there is no such process.
ProcessState process_state(pid_t pid);

// Returns the CPU time of the processes below it: of those that run, and of those that it has reaped.
double cpu_seconds_below(pid_t pid);

// Returns how many bytes it has read so far, from files and all else; 0 where the system does not tell.
double bytes_read_by(pid_t pid);

// Returns the value of a variable in the environment that a process was started with; "" where there is none, or the process is
// another user's.
std::string variable_of(pid_t pid, const std::string& name);

// Returns the processes that this one started and has not reaped, and those that were left to it.
std::vector<pid_t> children_of(pid_t pid);

}  // namespace ddpbench
