#include "suite/launch/processes/stop_signals.hpp"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

// Not those that tell of a mistake of the program itself (SIGSEGV, SIGABRT, …), which end it as ever; nor SIGPIPE and SIGXFSZ, which it ignores: the
// write that they are about fails with a reason.
constexpr std::array kStopSignals{SIGINT,    SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2,  SIGALRM,
                                  SIGVTALRM, SIGPROF, SIGXCPU, SIGIO,   SIGPWR,  SIGSTKFLT};

// Made before any signal comes: a handler may not compose a text.
std::array<std::string, kStopSignals.size()>& stop_messages() {
  static std::array<std::string, kStopSignals.size()> words;
  return words;
}

void stop_at_once(int signal) {
  const auto* const found = std::find(kStopSignals.begin(), kStopSignals.end(), signal);
  const auto& words = stop_messages().at(static_cast<std::size_t>(found - kStopSignals.begin()));
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(static_cast<int>(ExitCode::kStopped));
}

void handle_all(void (*handler)(int)) {
  for (const int signal : kStopSignals) {
    if (!is_left_ignored(signal)) ::signal(signal, handler);
  }
}

}  // namespace

std::span<const int> stop_signals() { return kStopSignals; }

bool is_left_ignored(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN && signal != SIGINT && signal != SIGTERM;
}

StopAtOnce::StopAtOnce() {
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    stop_messages().at(i) = "ddpbench: stopped by signal " + std::to_string(kStopSignals.at(i)) + " (" +
                            ::strsignal(kStopSignals.at(i)) + "); what is stored stays, --resume continues\n";
  }
  handle_all(stop_at_once);
}

StopAtOnce::~StopAtOnce() { handle_all(SIG_DFL); }

}  // namespace ddpbench
