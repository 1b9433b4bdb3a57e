#include "suite/launch/launchers.hpp"

#include <array>

#include "suite/launch/local_launcher.hpp"

namespace ddpbench {
namespace {

constexpr std::array kLaunchers{
    LauncherEntry{"local", "processes of this machine, each bound to its share of the cores", local_command, 1},
};

std::string shell_quoted(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::span<const LauncherEntry> launchers() { return kLaunchers; }

std::string shell_text(const RankCommand& command) {
  std::string text;
  for (const auto& [name, value] : command.environment) text += name + "=" + shell_quoted(value) + " ";
  for (const auto& token : command.tokens) text += (&token == &command.tokens.front() ? "" : " ") + shell_quoted(token);
  return text;
}

}  // namespace ddpbench
