// Stands for a worker where no LibTorch is: does what a launcher counts on, and waits for its end. The rank $STOPPED_RANK stops itself.
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "suite/base/surroundings.hpp"
#include "suite/contract/driver_death.hpp"
#include "suite/contract/heartbeat.hpp"

int main() {
  ddpbench::die_with_driver();
  ddpbench::own_heartbeat().enter(ddpbench::Phase::kForward);
  ddpbench::own_heartbeat().super_blocks = 3;
  std::printf("pid %d\n", ::getpid());
  std::fflush(stdout);
  if (ddpbench::environment_variable("STOPPED_RANK") == ddpbench::environment_variable("RANK")) ::raise(SIGSTOP);
  while (true) ::pause();
}
