#pragma once
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suite/base/durable_file.hpp"

namespace ddpbench {

// Holds what a line of /proc/PID/task/TID/schedstat says of a thread, "cpu_ns delay_ns turns" (Linux,
// Documentation/scheduler/sched-stats.rst).
struct Scheduled {
  std::int64_t delay_ns = 0;  // could run and had no core, since it began
  std::int64_t turns = 0;     // how often it was given one
};
// Reads such a line; nullopt where it does not begin with three numbers.
std::optional<Scheduled> scheduled_of(std::string_view line);

// Holds an instant of a thread that does steps: the steady clock, and for how long the thread had waited for a core until then.
struct Instant {
  std::int64_t wall_ns = 0, delay_ns = 0;
};

// Tells for how long the threads of this process could run and had no core: the thread that does a rank's steps, and all others
// together (a backend's, an interpreter's). Makes one system call for each thread, on any thread, allocating nothing.
class RunDelays {
 public:
  // Reads nothing, and says why.
  explicit RunDelays(std::string why_not) : words_(std::move(why_not)) {}

  // Reads the calling thread and the others that there are now.
  static RunDelays of_steps();

  // Reads the calling thread alone.
  static RunDelays of_this_thread();

  bool reads() const { return !threads_.empty(); }

  // Returns "schedstat"; else why nothing is read.
  const std::string& words() const { return words_; }

  // Leaves out the others that have not run since of_steps(), and takes in those that began since: a thread that never runs waits
  // for no core. To be called on the thread of the steps, while no other one reads.
  void keep_those_that_run();

  // Reads both clocks of one instant, on the thread of the steps: again where the thread lost its core between the two. Without
  // delays where nothing is read.
  Instant now() const;

  // Return nanoseconds; 0 where nothing is read, and for a thread that is gone.
  std::int64_t main_ns() const { return reads() ? delay_ns(threads_.front()) : 0; }
  std::int64_t others_ns() const;
  std::size_t others() const { return reads() ? threads_.size() - 1 : 0; }

 private:
  struct Thread {
    pid_t number;
    FileDescriptor file;
    std::int64_t turns;  // as of_steps() found them
  };
  static std::optional<Thread> opened(pid_t number);
  static std::int64_t delay_ns(const Thread& thread);

  std::string words_;
  std::vector<Thread> threads_;  // that of the steps first
};

}  // namespace ddpbench
