#pragma once
#include <span>

namespace ddpbench {

// Returns every signal that would end this process, that it can hear, and that somebody sends on purpose: a person, a batch
// system before its limit, a shell that goes. All of them ask it to stop.
std::span<const int> stop_signals();

// Returns whether a signal that the caller ignores stays ignored (nohup): not SIGINT, which shells ignore for jobs in the
// background, nor SIGTERM; whoever sends them by hand means it.
bool is_left_ignored(int signal);

// Lets each of them end this process at once, while it lives: with a word on standard error, and the exit code of a run that was
// stopped. What the process started ends with it, and what it has stored is whole. For the parts of a run that are not a
// measurement: a SignalInbox inside of it takes the signals away. At most one at a time.
class StopAtOnce {
 public:
  StopAtOnce();
  ~StopAtOnce();
  StopAtOnce(const StopAtOnce&) = delete;
  StopAtOnce& operator=(const StopAtOnce&) = delete;
};

}  // namespace ddpbench
