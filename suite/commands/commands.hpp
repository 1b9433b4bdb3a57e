#pragma once
#include <span>

#include "suite/commands/command.hpp"

namespace ddpbench {

// Returns every command, in the order of `ddpbench --help`.
std::span<const CommandEntry> commands();

// Declares the arguments of one command; one file each: <name>_command.cpp.
CommandAction declare_doctor(CLI::App& app);
CommandAction declare_list(CLI::App& app);
CommandAction declare_plan(CLI::App& app);
CommandAction declare_run(CLI::App& app);
CommandAction declare_collectives(CLI::App& app);
CommandAction declare_preflight(CLI::App& app);
CommandAction declare_submit(CLI::App& app);
CommandAction declare_watch(CLI::App& app);
CommandAction declare_report(CLI::App& app);
CommandAction declare_compare(CLI::App& app);
CommandAction declare_history(CLI::App& app);
CommandAction declare_predict(CLI::App& app);
CommandAction declare_data(CLI::App& app);
CommandAction declare_verify(CLI::App& app);
CommandAction declare_pack(CLI::App& app);
CommandAction declare_completion(CLI::App& app);

}  // namespace ddpbench
