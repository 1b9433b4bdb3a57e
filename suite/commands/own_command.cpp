#include "suite/commands/own_command.hpp"

#include <fstream>

#include "suite/launch/shell_text.hpp"

namespace ddpbench {

// As the system has it: the arguments with NUL between them.
std::string own_command_line(const std::vector<std::string>& more) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  LaunchCommand command;
  for (std::string token; std::getline(file, token, '\0');) command.tokens.push_back(token);
  command.tokens.insert(command.tokens.end(), more.begin(), more.end());
  return shell_text(command);
}

}  // namespace ddpbench
