#include "suite/launch/processes/signal_inbox.hpp"

#include <sys/signalfd.h>

#include "suite/launch/processes/stop_signals.hpp"
#include "suite/launch/processes/system_call.hpp"

namespace ddpbench {
namespace {

// Longer than a burst takes to arrive, shorter than a person takes to press Ctrl-C again on purpose.
constexpr std::chrono::milliseconds kBurst{500};

}  // namespace

SignalInbox::SignalInbox() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGCHLD);
  for (const int signal : stop_signals()) {
    if (!is_left_ignored(signal)) sigaddset(&signals_, signal);
  }
  checked(::sigprocmask(SIG_BLOCK, &signals_, &before_), "cannot block signals");
  fd_ = FileDescriptor(checked(::signalfd(-1, &signals_, SFD_NONBLOCK | SFD_CLOEXEC), "cannot take signals from a descriptor"));
}

SignalInbox::~SignalInbox() {
  receive();
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void SignalInbox::receive() {
  signalfd_siginfo info{};
  while (::read(fd_.number(), &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info))) {
    if (const int signal = static_cast<int>(info.ssi_signo); signal != SIGCHLD) note_stop(signal);
  }
}

void SignalInbox::note_stop(int signal) {
  const auto now = std::chrono::steady_clock::now();
  if (stops_ == 0 || now - last_stop_ >= kBurst) ++stops_;
  if (stop_signal_ == 0) stop_signal_ = signal;
  last_stop_ = now;
}

}  // namespace ddpbench
