#include "harness/measure/host_state.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace ddpbench {

HostState HostState::now() {
  HostState state;
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  std::ifstream("/proc/stat") >> cpu >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  static const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  state.busy_s = (user + nice + system + irq + softirq) / ticks_per_second;
  state.steal_s = steal / ticks_per_second;
  std::ifstream("/proc/loadavg") >> state.load;
  return state;
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

}  // namespace ddpbench
