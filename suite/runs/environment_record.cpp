#include "suite/runs/environment_record.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/base/environment_rules.hpp"
#include "suite/contract/version.hpp"
#include "suite/contract/vocabulary/recorded_vocabulary.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "suite/runs/machine.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGitTimeoutSeconds = 2;  // a home on a sleeping file server must not hold up the run

// Of the working directory; null where it is in no repository or there is no git.
Json git_commit() {
  const auto git = run_captured({{"/bin/sh", "-c", "git rev-parse HEAD"}, {}, {}, {}}, kGitTimeoutSeconds);
  const auto commit = git.out.substr(0, git.out.find('\n'));
  return git.exit_code == 0 && git.signal == 0 && !commit.empty() ? Json(commit) : Json(nullptr);
}

// Null where it was removed.
Json working_folder() {
  std::error_code gone;
  const auto folder = std::filesystem::current_path(gone);
  return gone ? Json(nullptr) : Json(folder.string());
}

// {"2": "rank 0: 0, rank 1: 1"}: by ranks on the node.
Json bindings(const Launcher& launcher, const std::vector<std::string>& hosts, const Plan& plan) {
  std::set<std::int64_t> counts;
  for (const auto& launch : plan.launches) counts.insert(launch.spec.ranks_per_node);
  Json text = Json::object();
  for (const auto count : counts) text[std::to_string(count)] = launcher.binding(count, hosts).words;
  return text;
}

}  // namespace

nlohmann::ordered_json environment_record(const RunFacts& facts) {
  Json record{{"ddpbench", version()},
              {"worker_build_id", facts.probe.value("worker_build_id", Json())},
              {"torch", facts.probe.value("torch", Json())},
              {"started_utc", utc_text(facts.started)},
              {"command_line", facts.command_line},
              {"working_directory", working_folder()},
              {"git_commit", git_commit()},
              {"launcher", facts.launcher.name},
              {"allocation", allocation_facts(facts.allocation)},
              {"binding", bindings(facts.launcher, facts.allocation.hosts, facts.plan)},
              {"data_origin", facts.data_origin}};
  record.update(record_vocabulary(facts.vocabulary));
  record.update(machine_facts());
  record["variables"] = steering_variables();
  if (const auto withheld = withheld_variables(); !withheld.empty()) record["withheld_variables"] = withheld;
  record["probe"] = facts.probe;
  return record;
}

}  // namespace ddpbench
