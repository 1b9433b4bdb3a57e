// Stands for a worker where no LibTorch is: does what a launcher counts on, and waits for its end. The rank $STOPPED_RANK stops itself, after its first
// steps; the rank $STALLED_RANK, or "all", before it has said a word. The rank $DYING_RANK is on its way out when the rank $WITNESS_RANK gives up, and has
// ended, by signal 9, only after it was asked to end: as on a system that needs long for the end of a process.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "suite/base/system_environment.hpp"
#include "suite/contract/processes/driver_death.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace {

bool is_named(const char* variable) {
  const auto name = ddpbench::environment_variable(variable);
  return !name.empty() && (name == "all" || name == ddpbench::environment_variable("RANK"));
}

// Its main thread leaves, as threads of a process that is killed do; what is left of it goes when the process is asked to end.
[[noreturn]] void leave_slowly() {
  sigset_t asked;
  ::sigemptyset(&asked);
  ::sigaddset(&asked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &asked, nullptr);
  std::thread([asked] {
    int signal = 0;
    ::sigwait(&asked, &signal);
    ::kill(::getpid(), SIGKILL);
  }).detach();
  ::syscall(SYS_exit, 0);
  std::abort();
}

// When the main thread of the process has left.
void set_peer_timeout(const std::string& process) {
  std::string stat;
  do std::getline(std::ifstream("/proc/" + process + "/stat"), stat);
  while (stat.find(") Z") == std::string::npos);
  std::_Exit(1);
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
  const auto meeting = ddpbench::environment_variable("MEETING");
  if (is_named("DYING_RANK")) {
    std::ofstream(meeting + ".new") << ::getpid() << std::flush;
    std::filesystem::rename(meeting + ".new", meeting);
    leave_slowly();
  }
  if (is_named("WITNESS_RANK")) {
    while (!std::filesystem::exists(meeting)) ::usleep(1000);
    std::string process;
    std::ifstream(meeting) >> process;
    set_peer_timeout(process);
  }
  while (true) ::pause();
}
