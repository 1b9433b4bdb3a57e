// Stands for a worker where no LibTorch is: does what a launcher counts on, and waits for its end. The rank $STOPPED_RANK stops itself, after its first
// steps; the rank $STALLED_RANK, or "all", before it has said a word.
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "suite/base/surroundings.hpp"
#include "suite/contract/driver_death.hpp"
#include "suite/contract/heartbeat.hpp"

namespace {

bool is_named(const char* variable) {
  const auto name = ddpbench::environment_variable(variable);
  return !name.empty() && (name == "all" || name == ddpbench::environment_variable("RANK"));
}

}  // namespace

int main() {
  if (is_named("STALLED_RANK")) ::raise(SIGSTOP);
  ddpbench::die_with_driver();
  ddpbench::own_heartbeat().enter(ddpbench::Phase::kForward);
  ddpbench::own_heartbeat().super_blocks = 3;
  std::printf("pid %d\n", ::getpid());
  std::fflush(stdout);
  if (is_named("STOPPED_RANK")) ::raise(SIGSTOP);
  while (true) ::pause();
}
