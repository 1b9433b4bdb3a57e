#include "harness/measure/process/host_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "harness/probe/clock_readings.hpp"

namespace ddpbench {
namespace {

constexpr double kWindow_s = 0.5;
constexpr double kLeastInterval_s = 0.05;

// A hypervisor that takes more than this share of a core has moved the wall clock visibly, and so has a neighbour that keeps this share of
// all cores busy: a few percent are the system's own daemons.
constexpr double kDisturbingStealShare = 0.02;
constexpr double kDisturbingForeignShare = 0.10;

double ticks_per_second() {
  static const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return ticks;
}

void read_stat(HostReading& reading) {
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  std::ifstream("/proc/stat") >> cpu >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  reading.busy_s = (user + nice + system + irq + softirq) / ticks_per_second();
  reading.steal_s = steal / ticks_per_second();
}

std::string of_process(pid_t process, const std::string& file) { return "/proc/" + std::to_string(process) + "/" + file; }

double used_by(pid_t process) {
  clockid_t clock{};
  timespec used{};
  const bool known = clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &used) == 0;
  return known ? static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec) : 0;
}

// Of children that were waited for, and of theirs: fields 16 and 17 of proc(5)'s stat, counted behind the name in brackets, which is
// the second.
double used_by_ended_children(pid_t process) {
  constexpr int kBetween = 13;  // fields 3 to 15
  std::string line;
  std::getline(std::ifstream(of_process(process, "stat")), line);
  std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < kBetween; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / ticks_per_second();
}

double used_by_children(pid_t process) {
  double used_s = 0;
  std::ifstream children(of_process(process, "task/" + std::to_string(process) + "/children"));
  for (pid_t child = 0; children >> child;) used_s += cpu_seconds(child);
  return used_s;
}

}  // namespace

double cpu_seconds(pid_t process) { return used_by(process) + used_by_ended_children(process) + used_by_children(process); }

HostRule::HostRule(HostReading begin, double cores) : cores_(cores), begin_(begin), window_{{begin, 0}} {}

HostUse HostRule::next(const HostReading& reading) {
  const double foreign_s = (reading.busy_s - begin_.busy_s) - (reading.own_s - begin_.own_s);
  const auto& last = window_.back();
  HostUse use;
  use.load = reading.load;
  use.steal_s = reading.steal_s - last.reading.steal_s;
  use.throttled_s = reading.throttled_s - last.reading.throttled_s;
  use.foreign_cpu_s = std::max(0.0, foreign_s - last.foreign_s);
  const Then now{reading, last.foreign_s + use.foreign_cpu_s};
  use.disturbed = disturbed(now);
  window_.push_back(now);
  while (window_.size() > 1 && reading.at_s - window_[1].reading.at_s >= kWindow_s) window_.pop_front();
  return use;
}

// Over what the window holds, half a second or the block where that is longer; a launch's first blocks have less and are spared.
bool HostRule::disturbed(const Then& now) const {
  const auto& then = window_.front();
  const double window_s = now.reading.at_s - then.reading.at_s;
  if (now.reading.throttled_s > then.reading.throttled_s) return true;
  if (window_s < kWindow_s) return false;
  return now.reading.steal_s - then.reading.steal_s > kDisturbingStealShare * window_s ||
         now.foreign_s - then.foreign_s > kDisturbingForeignShare * cores_ * window_s;
}

HostWatch::HostWatch(std::vector<pid_t> ranks)
    : ranks_(std::move(ranks)), last_(read()), rule_(last_, static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN))) {}

HostReading HostWatch::read() const {
  HostReading reading;
  reading.at_s = seconds(wall_ns());
  std::ifstream("/proc/loadavg") >> reading.load;
  read_stat(reading);
  reading.throttled_s = throttle_.seconds();
  for (const auto rank : ranks_) reading.own_s += cpu_seconds(rank);
  return reading;
}

HostUse HostWatch::since_last() {
  if (seconds(wall_ns()) - last_.at_s < kLeastInterval_s) return {last_use_.load, 0, 0, 0, last_use_.disturbed};
  last_ = read();
  return last_use_ = rule_.next(last_);
}

}  // namespace ddpbench
