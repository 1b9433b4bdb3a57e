#include "harness/probe/event_counter.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/contract/processes/counted_event.hpp"

namespace ddpbench {
namespace {

struct EventEntry {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
};
constexpr std::array kEvents{
    EventEntry{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    EventEntry{"task_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
};
constexpr const char* kNone = "none";

// What torch's engine calls its threads for devices ("pt_autograd_0"): torch/csrc/autograd/engine.cpp.
constexpr const char* kAutogradThread = "pt_autograd";

constexpr EventReading kNothing{0, -1};

const EventEntry* event_named(const std::string& name) {
  for (const auto& event : kEvents) {
    if (name == event.name) return &event;
  }
  return nullptr;
}

std::string first_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<pid_t> threads_of_steps() {
  std::vector<pid_t> threads{static_cast<pid_t>(::syscall(SYS_gettid))};
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    const auto number = parse_number<pid_t>(thread.path().filename().string());
    if (number && first_line_of(thread.path() / "comm").starts_with(kAutogradThread)) threads.push_back(*number);
  }
  return threads;
}

// -1: errno says why.
int open_counter(const EventEntry& event, pid_t thread) {
  perf_event_attr wanted{};
  wanted.size = sizeof(wanted);
  wanted.type = event.type;
  wanted.config = event.config;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &wanted, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

double counted_between(const EventReading& begin, const EventReading& end) {
  const bool is_whole = begin.missed_ns >= 0 && begin.missed_ns == end.missed_ns;
  return is_whole ? static_cast<double>(end.count - begin.count) : std::nan("");
}

std::string why_no_counter(int error, const std::string& paranoid) {
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP)
    return "none: this processor gives no counter of it (a virtual machine without one)";
  if (error == ENOSYS) return "none: this kernel has no perf_event_open";
  if (error == EACCES || error == EPERM) {
    return "none: the kernel does not allow it (kernel.perf_event_paranoid is " + (paranoid.empty() ? "not known" : paranoid) +
           "; 2 or less allows it, and so must a container's rules)";
  }
  return std::string("none: ") + std::strerror(error);
}

EventCounter EventCounter::of_steps() {
  const auto asked = environment_variable(kCountedEventVariable);
  const auto name = asked.empty() ? std::string(kEvents.front().name) : asked;
  if (name == kNone) return EventCounter(std::string("none: ") + kCountedEventVariable + " is none");
  const auto* event = event_named(name);
  if (event == nullptr)
    return EventCounter(std::string("none: ") + kCountedEventVariable + " is '" + name +
                        "' (known: instructions, task_clock, none)");
  EventCounter counter(name);
  for (const auto thread : threads_of_steps()) {
    const int opened = open_counter(*event, thread);
    if (opened < 0) return EventCounter(why_no_counter(errno, first_line_of("/proc/sys/kernel/perf_event_paranoid")));
    counter.counters_.emplace_back(opened);
  }
  return counter;
}

EventReading EventCounter::read() const {
  if (counters_.empty()) return kNothing;
  EventReading all;
  for (const auto& counter : counters_) {
    struct {
      std::uint64_t value, enabled_ns, running_ns;
    } now{};
    if (::read(counter.number(), &now, sizeof(now)) != sizeof(now)) return kNothing;
    all.count += static_cast<std::int64_t>(now.value);
    all.missed_ns += static_cast<std::int64_t>(now.enabled_ns - now.running_ns);
  }
  return all;
}

}  // namespace ddpbench
