#include "suite/commands/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iostream>

#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/commands.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/version.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/agents/agent.hpp"
#include "suite/launch/launchers/node_starter.hpp"
#include "suite/runs/submission.hpp"

namespace ddpbench {
namespace {

constexpr const char* kAbout =
    "Measures what a training framework costs on top of plain DDP, and says how sure it is. Start here:\n"
    "  ddpbench run demo --out results/first    three models on two ranks, a few minutes; ends with the answer and a page\n"
    "  ddpbench run claim --quick               what does Lightning cost, and of which step is that 5 %? Some three minutes\n"
    "  ddpbench list experiments                what else can be asked\n"
    "Words: an arm is one way to run the training step (`raw` is the plain loop); a cell is one combination of settings; a "
    "launch is one\n"
    "fresh start of the processes of a cell.\n"
    "EXPERIMENT is a TOML file or the name of a shipped one; `ddpbench COMMAND --help` has an example of each command.";

std::string known_arguments(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) names.push_back(option->get_name());
  const auto* above = app.get_fallthrough() ? app.get_parent() : nullptr;
  return join(names, ", ") + (above == nullptr ? "" : ", " + known_arguments(*above));
}

std::string known_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) names.push_back(command->get_name());
  return join(names, ", ");
}

// What stands where a command is expected: ": unknown command 'maek'".
std::string given_instead(const CLI::App& app) {
  constexpr std::size_t kLongestBytes = 80;
  const auto words = app.remaining();
  return words.empty() ? "" : ": unknown command '" + printable(words.front(), kLongestBytes) + "'";
}

const CLI::App& deepest_chosen(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest_chosen(*chosen.front());
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

// "data make: "; the program's name stands before every message.
std::string speaker(const CLI::App& app) {
  const auto path = path_of(app);
  const auto end_of_program = path.find(' ');
  return end_of_program == std::string::npos ? "" : path.substr(end_of_program + 1) + ": ";
}

// The library's "--launcher: 1 required TEXT missing" needs its manual.
std::string words_of(const CLI::ParseError& error) {
  const std::string words = error.what();
  const bool lacks_value = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && words.ends_with(" missing");
  return lacks_value ? words.substr(0, words.find(':')) + " needs a value" : words;
}

UsageError usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto& chosen = deepest_chosen(app);
  constexpr std::size_t kLongestBytes = 400;  // the library repeats what was given, however long
  auto message = speaker(chosen) + printable(words_of(error), kLongestBytes);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) message += " (known: " + known_arguments(chosen) + ")";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !chosen.get_subcommands({}).empty())
    message = speaker(chosen) + "a command is missing" + given_instead(chosen) + " (known: " + known_commands(chosen) + ")";
  return UsageError(message + "; see `" + path_of(chosen) + " --help`");
}

void require_known_command(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    throw UsageError(
        "no command is given. Start with `ddpbench run demo` (some minutes: what does a wrapper cost on this machine?) or "
        "`ddpbench list` (what can be measured here); see `ddpbench --help`");
  }
  const bool is_command = !arguments.empty() && arguments.front().rfind('-', 0) != 0;
  if (is_command) find_entry(commands(), "command", arguments.front());
}

// A variable that was not set: `--out "$OUT"`. No option has a meaning for it.
void refuse_empty_values(const CLI::App& chosen) {
  if (chosen.get_parent() != nullptr)
    refuse_empty_values(*chosen.get_parent());  // its options may stand behind a command of its own
  for (const auto* option : chosen.get_options()) {
    const auto& values = option->results();
    if (std::find(values.begin(), values.end(), "") == values.end()) continue;
    throw UsageError(speaker(chosen) + option->get_name() + " is empty: must be given a value, or left out");
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

// Three commands are internal: launchers start --agent beside each rank and --node on each node; a job's script calls --progress.
ExitCode run_command_line(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments.front() == kProgressWord) {
    std::cout << progress_line(arguments.back());
    return ExitCode::kDone;
  }
  if (arguments == std::vector<std::string>{kAgentWord}) return run_agent();
  if (!arguments.empty() && arguments.front() == kNodeWord)
    return static_cast<ExitCode>(run_on_node({arguments.begin() + 1, arguments.end()}));
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
