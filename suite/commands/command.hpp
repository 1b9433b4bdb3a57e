#pragma once
#include <CLI/App.hpp>
#include <functional>

#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {

// Does a command once its arguments are read.
using CommandAction = std::function<ExitCode()>;

// Describes one command of ddpbench. `declare` names its arguments and returns what it does with them.
struct CommandEntry {
  const char* name;
  const char* help;        // a line of `ddpbench --help`
  const char* about;       // a paragraph of its own --help
  const char* example;     // that runs
  const char* exit_codes;  // those that it can end with, docs/contract.md "Exit codes"
  CommandAction (*declare)(CLI::App& app);
};

}  // namespace ddpbench
