#include "suite/commands/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iostream>

#include "suite/base/printable.hpp"
#include "suite/commands/commands.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/contract/registry.hpp"
#include "suite/contract/version.hpp"

namespace ddpbench {
namespace {

constexpr const char* kAbout =
    "Measures what a training framework costs on top of plain DDP, and says how sure it is.\n"
    "EXPERIMENT is a TOML file or the name of a shipped one; `ddpbench COMMAND --help` has an example of each command.";

std::string known_arguments(const CLI::App& app) {
  std::string names;
  for (const auto* option : app.get_options()) names += (names.empty() ? "" : ", ") + option->get_name();
  return names;
}

const CLI::App& deepest_chosen(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest_chosen(*chosen.front());
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

UsageError usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto& chosen = deepest_chosen(app);
  constexpr std::size_t kLongestBytes = 400;  // the library repeats what was given, however long
  auto message = path_of(chosen) + ": " + printable(error.what(), kLongestBytes);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) message += " (known: " + known_arguments(chosen) + ")";
  return UsageError(message + "; see `" + path_of(chosen) + " --help`");
}

void require_known_command(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    throw UsageError(
        "no command was given. Type first: `ddpbench run demo` (some minutes: what does a wrapper cost on this machine?), "
        "`ddpbench list` (what can be measured here) or `ddpbench --help`");
  }
  const bool is_command = !arguments.empty() && arguments.front().rfind('-', 0) != 0;
  if (is_command) find_entry(commands(), "command", arguments.front());
}

// A variable that was not set: `--out "$OUT"`. No option has a meaning for it.
void refuse_empty_values(const CLI::App& chosen) {
  for (const auto* option : chosen.get_options()) {
    const auto& values = option->results();
    if (std::find(values.begin(), values.end(), "") == values.end()) continue;
    throw UsageError(path_of(chosen) + ": " + option->get_name() + " is empty: must be given a value, or left out");
  }
}

// Help and version are wanted ends of parsing; CLI11 throws them.
bool parse(CLI::App& app, std::vector<std::string> arguments) {
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
    refuse_empty_values(deepest_chosen(app));
    return true;
  } catch (const CLI::Success& wanted) {
    app.exit(wanted, std::cout, std::cerr);
    return false;
  } catch (const CLI::ParseError& error) {
    throw usage_error(app, error);
  }
}

}  // namespace

ExitCode run_command_line(const std::vector<std::string>& arguments) {
  require_known_command(arguments);
  CLI::App app(kAbout, "ddpbench");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  CommandAction action;
  for (const auto& command : commands()) {
    auto* sub = app.add_subcommand(command.name, command.help);
    sub->footer("\n" + std::string(command.about) + "\n\nExample: " + command.example + "\nExit codes: " + command.exit_codes);
    sub->parse_complete_callback([&action, chosen = command.declare(*sub)] { action = chosen; });
  }
  return parse(app, arguments) ? action() : ExitCode::kDone;
}

}  // namespace ddpbench
