#include "suite/launch/local/process_state.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace ddpbench {

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
  for (int field = 4; field < 14; ++field) fields >> passed_over;  // proc(5) counts from 1; user and system time are 14 and 15
  double user_ticks = 0;
  double system_ticks = 0;
  fields >> user_ticks >> system_ticks;
  state.running = std::string_view("ZX").find(letter) == std::string_view::npos;
  state.stopped = letter == 'T' || letter == 't';
  state.cpu_seconds = (user_ticks + system_ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return state;
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
