#include "suite/commands/own_command.hpp"

#include <fstream>

#include "suite/launch/shell_text.hpp"

namespace ddpbench {

namespace {

// As the system has it: the arguments with NUL between them.
std::vector<std::string> own_tokens() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

std::string own_command_line(const std::vector<std::string>& more) {
  LaunchCommand command;
  command.tokens = own_tokens();
  command.tokens.insert(command.tokens.end(), more.begin(), more.end());
  return shell_text(command);
}

std::string continuing_command_line(const Continuing& continuing) {
  LaunchCommand command;
  bool is_value = false;
  for (const auto& word : own_tokens()) {
    const bool is_dropped = is_value || word == "--launches" || word.starts_with("--launches=");
    is_value = !is_value && word == "--launches";
    if (!is_dropped || !continuing.knows_launches) command.tokens.push_back(word);
  }
  if (!continuing.has_out) command.tokens.insert(command.tokens.end(), {"--out", continuing.out});
  if (!continuing.resumes) command.tokens.emplace_back("--resume");
  return shell_text(command);
}

}  // namespace ddpbench
