#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>

#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// Holds what one look at a rank shows, or at the process of a launcher. What it has used so far only grows.
struct ProcessActivity {
  bool runs = false;        // false: it has ended, or not begun
  bool is_stopped = false;  // by SIGSTOP, a debugger, or a batch system that suspends
  double cpu_seconds = 0;   // of all its threads; before its first super-block of the processes below it, too
  double page_faults = 0;
  double bytes_read = 0;
  std::int64_t phase_changes = 0;  // as all that follows: by its heartbeat
  std::int64_t super_blocks = 0;   // finished
  Phase phase = Phase::kOther;
  StartUp start_up = StartUp::kLoading;
  std::int64_t waits_ms = 0;
  std::int64_t collectives = 0, collective_bytes = 0;  // called so far; of the last of them
  CollectiveKind collective = CollectiveKind::kAllreduce;
  std::string arm;  // whose step or training runs; "": none yet, or it is not told
};

// Looks at a process of this machine; -1: it does not run. What it has read counts before its first step only, what those below
// it do before its first super-block: each costs a look more. `heartbeat` nullptr: it has none.
ProcessActivity observe_process(pid_t pid, const Heartbeat* heartbeat);

}  // namespace ddpbench
