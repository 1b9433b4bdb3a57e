#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/base/durable_file.hpp"

namespace ddpbench {

// Holds what was counted up to a moment.
struct EventReading {
  std::int64_t count = 0;
  std::int64_t missed_ns = 0;  // for which the kernel had lent the counter to somebody else
};

// Returns the count between two readings; NaN where nothing counts, or the counter was lent meanwhile: what the kernel then tells
// is a guess.
double counted_between(const EventReading& begin, const EventReading& end);

// Counts an event of the threads that do a rank's steps: of the thread that makes it, and of autograd's, which work for a device.
// Counts in user space, by perf_event_open(2), and leaves out threads that wait in a loop (of OpenMP, of a backend).
class EventCounter {
 public:
  // Counts nothing, and says why.
  explicit EventCounter(std::string why_not) : words_(std::move(why_not)) {}

  // Counts the event of $DDPBENCH_COUNTED_EVENT on those of the threads that there are now.
  static EventCounter of_steps();

  bool counts() const { return !counters_.empty(); }

  // Returns "instructions", "task_clock"; else why nothing is counted.
  const std::string& words() const { return words_; }

  // Reads all threads' counts, by one system call for each; {0, -1} where nothing counts.
  EventReading read() const;

 private:
  std::string words_;
  std::vector<FileDescriptor> counters_;
};

// Says why the system gives no counter, by the error of perf_event_open(2) and the value of kernel.perf_event_paranoid ("" where
// it is not known).
std::string why_no_counter(int error, const std::string& paranoid);

}  // namespace ddpbench
