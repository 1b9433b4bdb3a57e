#pragma once
#include <signal.h>

#include <chrono>

#include "suite/base/file_descriptor.hpp"

namespace ddpbench {

// Takes the signals that ask this process to stop (stop_signals.hpp) and SIGCHLD out of a descriptor that can be polled, from its
// construction to its destruction; one per process.
class SignalInbox {
 public:
  SignalInbox();
  ~SignalInbox();  // drops what has come since, so that a late second Ctrl-C does not kill the writing of the report
  SignalInbox(const SignalInbox&) = delete;
  SignalInbox& operator=(const SignalInbox&) = delete;

  int fd() const { return fd_.number(); }

  // Takes what has come since the last call.
  void receive();

  // Returns how often we were asked to stop; stop_signal(): by which signal first (0: never). Signals of one burst count once:
  // `timeout` and batch systems signal a process and then its group.
  int stops() const { return stops_; }
  int stop_signal() const { return stop_signal_; }

 private:
  void note_stop(int signal);

  sigset_t signals_{}, before_{};
  FileDescriptor fd_;
  int stops_ = 0;
  int stop_signal_ = 0;
  std::chrono::steady_clock::time_point last_stop_;
};

}  // namespace ddpbench
