#include "suite/launch/shell_text.hpp"

#include <map>

#include "suite/base/printable.hpp"

namespace ddpbench {
namespace {

// $'a\nb', as bash and zsh read it: such bytes would be lost in a table, or steer the terminal that shows them.
std::string escaped(const std::string& word) {
  std::string text = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      constexpr const char* kDigits = "0123456789abcdef";
      text += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
    } else {
      text += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    }
  }
  return text + "'";
}

// `number` stands for the number of the process, as the shell reads it.
std::string text_of_one(const LaunchCommand& command, const std::string& number) {
  std::map<std::string, std::string> assignments;
  for (const auto& [name, value] : command.environment) assignments[name] = shell_quoted(value);
  for (const auto& name : command.numbered) assignments[name] = number;
  std::string text;
  for (const auto& [name, value] : assignments) text += name + "=" + value + " ";
  for (const auto& token : command.tokens) text += (&token == &command.tokens.front() ? "" : " ") + shell_quoted(token);
  return text;
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  if (printable(word) != word) return escaped(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_text(const LaunchCommand& command) {
  if (command.copies == 1) return text_of_one(command, "0");
  std::string text = "for process in";
  for (std::int64_t copy = 0; copy < command.copies; ++copy) text += " " + std::to_string(copy);
  return text + "; do " + text_of_one(command, "$process") + " & done; wait $! && wait";
}

}  // namespace ddpbench
