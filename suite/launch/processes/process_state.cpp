#include "suite/launch/processes/process_state.hpp"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "suite/base/numbers.hpp"
#include "suite/base/process_facts.hpp"

namespace ddpbench {
namespace {

constexpr std::uint64_t kExiting = 0x4;  // PF_EXITING of include/linux/sched.h, among the flags that proc(5) tells

}  // namespace

ProcessState process_state(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(')');  // the name may hold blanks and parentheses
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  ProcessState state;
  char letter = '?';
  std::string passed_over;
  fields >> letter;
  // proc(5) counts from 1: flags are 9, faults are 10 (without the disk) and 12 (with it), user and system time 14 and 15,
  // those of children that were waited for 16 and 17.
  for (int field = 4; field < 9; ++field) fields >> passed_over;
  std::uint64_t flags = 0;
  fields >> flags;
  double minor_faults = 0, major_faults = 0, user_ticks = 0, system_ticks = 0, reaped_user_ticks = 0, reaped_system_ticks = 0;
  fields >> minor_faults >> passed_over >> major_faults >> passed_over >> user_ticks >> system_ticks >> reaped_user_ticks >>
      reaped_system_ticks;
  state.running = std::string_view("ZX").find(letter) == std::string_view::npos;
  state.ending = !state.running || (flags & kExiting) != 0;
  state.stopped = letter == 'T' || letter == 't';
  state.page_faults = minor_faults + major_faults;
  const auto ticks_a_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  state.cpu_seconds = (user_ticks + system_ticks) / ticks_a_second;
  state.reaped_cpu_seconds = (reaped_user_ticks + reaped_system_ticks) / ticks_a_second;
  return state;
}

double cpu_seconds_below(pid_t pid) {
  double sum = process_state(pid).reaped_cpu_seconds;
  for (const auto child : children_of(pid)) sum += process_state(child).cpu_seconds + cpu_seconds_below(child);
  return sum;
}

double bytes_read_by(pid_t pid) {
  const auto path = "/proc/" + std::to_string(pid) + "/io";
  return parse_number<double>(value_in(path.c_str(), "rchar")).value_or(0);
}

std::string variable_of(pid_t pid, const std::string& name) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  for (std::string entry; std::getline(file, entry, '\0');) {
    if (entry.starts_with(name + "=")) return entry.substr(name.size() + 1);
  }
  return "";
}

std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code gone;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
    std::ifstream file(thread.path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

}  // namespace ddpbench
