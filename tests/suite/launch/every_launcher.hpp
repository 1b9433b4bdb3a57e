#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "suite/launch/drive_launch.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "tests/suite/launch/agents/local_agents.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {

inline std::ostream& operator<<(std::ostream& out, const Launcher& launcher) { return out << launcher.name; }

namespace test {

// For tests that hold for every launcher in the table; skipped, with the reason, where one is not available.
class EveryLauncher : public ::testing::TestWithParam<Launcher> {
 protected:
  ScriptFolder folder;
  ScopedVariable python{"DDPBENCH_PYTHON", DDPBENCH_TEST_PYTHON};
  std::vector<std::string> lines;  // "[rank 1] what it said"
  std::vector<RankProgress> progress;
  std::function<void(const std::string&)> on_line = [](const std::string&) {};
  LaunchSpec spec;
  std::map<std::string, std::string> environment;

  void SetUp() override {
    const auto missing = GetParam().why_not({}, {});
    if (!missing.empty()) GTEST_SKIP() << missing;
    spec.launch_id = "L0001";
    spec.part_dir = folder.path() / "parts";
    spec.protocol.hang_timeout_seconds = 0;
  }

  std::unique_ptr<RunningLaunch> start(const std::string& program, std::int64_t ranks, const TerminationTimeouts& patience = {}) {
    spec.ranks_per_node = ranks;
    const LaunchListener listener{[this](std::string_view source, std::string_view line) {
                                    lines.push_back("[" + std::string(source) + "] " + std::string(line));
                                    on_line(lines.back());
                                  },
                                  [this](const RankProgress& heard) { progress.push_back(heard); }};
    Installation installation;
    installation.program = DDPBENCH_TEST_AGENT;
    return GetParam().start(spec, {{program}, environment, installation}, {listener, patience});
  }

  LaunchEnd run(const std::string& program, std::int64_t ranks, const TerminationTimeouts& patience = {}) {
    SignalInbox inbox;
    return drive_to_end(*start(program, ranks, patience), inbox);
  }

  bool is_local() const { return GetParam().name == "local"; }
};

// All that are in the table, and agents without a batch system, each by itself or by one process for a node.
inline auto all_launchers() {
  std::vector<Launcher> all(launchers().begin(), launchers().end());
  all.push_back(kLocalAgents);
  all.push_back(kLocalNode);
  return ::testing::ValuesIn(all);
}
inline std::string launcher_name(const ::testing::TestParamInfo<Launcher>& test) { return std::string(test.param.name); }

}  // namespace test
}  // namespace ddpbench
