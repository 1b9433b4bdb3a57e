#pragma once
#include <signal.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/launch/processes/child_process.hpp"

namespace ddpbench {

// Is the exit code of the dynamic loader when a library is missing; the worker has no such code of its own.
inline constexpr int kLoaderFailed = 127;

// Keeps the last lines that somebody said, of those that hold more than blanks.
class LastLines {
 public:
  static constexpr std::size_t kKept = 20;
  void add(std::string_view line);
  bool empty() const { return lines_.empty(); }
  const std::string& back() const { return lines_.back(); }
  const std::deque<std::string>& all() const { return lines_; }

 private:
  std::deque<std::string> lines_;
};

// Says how one process ended.
struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;            // not 0: it died by this signal
  bool was_asked = false;    // to end, by whoever started it, before it had begun to end
  LastLines last_lines;      // of its standard error
  std::string host{};        // its node, where a launch may have several
  std::string why_killed{};  // "for memory: …"; "": the system does not say
  std::string lost{};        // not empty: nobody saw it end, and why: "its connection to the driver broke"
  // Returns whether a foreign signal killed it. SIGTERM does not count: a batch system sends it to all processes of a job, past
  // the driver.
  bool was_killed() const { return signal != 0 && signal != SIGTERM && !was_asked; }
  // Returns whether it may have stopped waiting for its peers: NCCL's watchdog aborts. Who was killed, or is out of sight, was
  // not asked.
  bool may_have_given_up() const { return lost.empty() && (signal == 0 || signal == SIGABRT); }
  bool clean() const { return exit_code == 0 && signal == 0 && lost.empty(); }
  void note(const ChildEnd& end) {
    exit_code = end.exit_code;
    signal = end.signal;
    if (!was_asked) why_killed = end.why_killed;
  }
};

// Says why a launch stood still.
struct Hang {
  std::ptrdiff_t rank = -1;  // the one that the others wait for; -1: not known
  std::string words;         // "rank 1 hangs: its process is suspended (SIGSTOP) in phase backward after 12 super-blocks, …"
};

// Says how a launch ended.
struct LaunchEnd {
  std::vector<std::optional<ProcessEnd>> ranks;  // nothing: the launcher does not tell how this rank ended
  std::ptrdiff_t first_failed = -1;              // the rank that broke first: the others were ended because of it
  std::optional<Hang> hang;                      // what it broke of, or what made the first rank give up
  std::string launcher_failure;    // "torchrun ended with exit code 1; it last said: …": no rank is known to have broken
  bool stopped_by_signal = false;  // of the driver
  int stop_signal = 0;
  double wall_seconds = 0;
};

// Returns "was killed by signal 9 (Killed)", "ended with exit code 3"; `signal` 0: it ended by itself.
std::string exit_text(int exit_code, int signal);

// Returns "rank 1 was killed by signal 9 (Killed); it last said: …".
std::string how_ended(const std::string& who, const ProcessEnd& end);

// Returns the rank at fault, where one is known to have broken (`first_failed` is not -1): not always the one whose end was told
// first.
std::size_t first_failed_rank(const LaunchEnd& end);

// Says the same of the rank that broke first, with the hang that made it break; "" where no rank is known to have broken.
std::string why_broken(const LaunchEnd& end);

}  // namespace ddpbench
