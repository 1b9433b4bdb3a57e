#pragma once
#include <span>

namespace ddpbench {

// Every signal that would end this process, that it can hear, and that somebody sends on purpose: a person, a batch system before its limit, a shell
// that goes. All of them ask it to stop. One that the caller ignores stays ignored (nohup), but for SIGINT, which shells ignore for jobs in the
// background, and SIGTERM: whoever sends them by hand means it.
std::span<const int> stop_signals();
bool is_left_ignored(int signal);

// While it lives, each of them ends this process at once: with a word on standard error, and the exit code of a run that was stopped. What the
// process started ends with it, and what it has stored is whole. For the parts of a run that are not a measurement: a SignalInbox inside of it takes
// the signals away. At most one at a time.
class StopAtOnce {
 public:
  StopAtOnce();
  ~StopAtOnce();
  StopAtOnce(const StopAtOnce&) = delete;
  StopAtOnce& operator=(const StopAtOnce&) = delete;
};

}  // namespace ddpbench
