#pragma once
#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "harness/measure/process/cpu_throttle.hpp"

namespace ddpbench {

// Holds what else this host did in a block, from /proc. Seconds of CPU time over all cores.
struct HostUse {
  double load = 0;           // one-minute average
  double steal_s = 0;        // taken by the hypervisor
  double foreign_cpu_s = 0;  // used by others than this host's ranks
  double throttled_s = 0;    // for which a control group of this process was held back
  bool disturbed = false;
};

// Returns the CPU time of a process, of all its threads, and of its children, such as a loader's workers: of those that ended, and
// of those that its main thread started. 0: there is no such process.
double cpu_seconds(pid_t process);

// Holds cumulative readings, to take differences of. What the system does not tell stays 0.
struct HostReading {
  double at_s = 0;  // steady clock
  double load = 0;
  double busy_s = 0;  // user, nice, system, irq, softirq of all cores
  double steal_s = 0;
  double throttled_s = 0;
  double own_s = 0;  // of this host's ranks and their children
};

// Decides what a block's end says about the host, from readings one after the other. Pure.
//
// The system counts in hundredths of a second, and blocks may be shorter than one: so it judges whether a block is disturbed over
// the last half second before its end, and counts what is foreign when it shows (its sum over blocks is right, a single short
// block's is coarse).
class HostRule {
 public:
  HostRule(HostReading begin, double cores);
  HostUse next(const HostReading& reading);

 private:
  struct Then {
    HostReading reading;
    double foreign_s;  // counted so far
  };
  bool disturbed(const Then& now) const;

  double cores_;
  HostReading begin_;        // where the count began
  std::deque<Then> window_;  // not older than half a second, and one before; the last is the reading before this one
};

// Reads this host at every block's end, outside timed steps; at most every 50 ms, since on a large machine a reading takes
// milliseconds. There is one per rank.
class HostWatch {
 public:
  // `ranks`: process numbers of this host's ranks, this one among them.
  explicit HostWatch(std::vector<pid_t> ranks);
  // Returns what the host did since the last call; within 50 ms of the last reading zeros, and that reading's load and
  // `disturbed`.
  HostUse since_last();

 private:
  HostReading read() const;

  std::vector<pid_t> ranks_;
  CpuThrottle throttle_;
  HostReading last_;
  HostRule rule_;
  HostUse last_use_;
};

}  // namespace ddpbench
