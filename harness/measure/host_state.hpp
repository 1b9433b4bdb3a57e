#pragma once

namespace ddpbench {

// What else the host was doing, from /proc: cumulative seconds over all cores, and the load average. Zero where /proc is missing.
struct HostState {
  double busy_s = 0;   // user, nice, system, irq, softirq
  double steal_s = 0;  // taken by the hypervisor
  double load = 0;     // one-minute average
  static HostState now();
};

// Largest resident set of this process so far, MiB.
double peak_memory_mib();

}  // namespace ddpbench
