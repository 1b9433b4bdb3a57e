#include "suite/contract/processes/driver_death.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>

#include "suite/base/numbers.hpp"
#include "suite/base/process_facts.hpp"
#include "suite/base/system_environment.hpp"

namespace ddpbench {
namespace {

pid_t parent_of(pid_t pid) {
  return parse_number<pid_t>(value_in(("/proc/" + std::to_string(pid) + "/status").c_str(), "PPid")).value_or(0);
}

bool descends_from(pid_t ancestor) {
  pid_t pid = ::getppid();
  while (pid > 1 && pid != ancestor) pid = parent_of(pid);
  return pid == ancestor;
}

}  // namespace

// The order counts: who dies after the first line is told by the signal, who died before it is no ancestor any more.
void die_with_driver() {
  const auto driver = parse_number<pid_t>(environment_variable(kDriverVariable));
  if (!driver) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (descends_from(*driver)) return;
  std::fputs("the ddpbench process that started this rank has ended; the rank ends too\n", stderr);
  ::_exit(1);
}

}  // namespace ddpbench
