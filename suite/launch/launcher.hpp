#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/launch_spec.hpp"
#include "suite/contract/vocabulary.hpp"

namespace ddpbench {

// What starts the ranks of one launch: tokens and environment of one rank (PATH lookups done). Data, no process yet.
struct RankCommand {
  std::vector<std::string> tokens;
  std::map<std::string, std::string> environment;  // added to the driver's own
};

// One way to start processes. `command` is pure: tested without any process.
struct LauncherEntry {
  std::string_view name;
  std::string_view help;
  RankCommand (*command)(const LaunchSpec& spec, const std::string& worker_path, std::int64_t rank);
  std::int64_t max_nodes;                           // machines that it can start ranks on (0: no bound)
  std::vector<OptionEntry> (*options)() = nullptr;  // what [launcher] takes; nullptr: nothing
};

}  // namespace ddpbench
