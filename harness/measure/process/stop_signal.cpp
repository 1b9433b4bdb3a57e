#include "harness/measure/process/stop_signal.hpp"

#include <csignal>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void remember(int signal) { stop_signal = signal; }

}  // namespace

void watch_stop_signals() {
  for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, remember);
}

bool stop_requested() { return stop_signal != 0; }

void stop_if_requested() {
  if (stop_requested()) throw StoppedError("stopped by signal " + std::to_string(stop_signal));
}

}  // namespace ddpbench
