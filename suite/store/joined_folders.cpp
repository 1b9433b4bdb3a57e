#include "suite/store/joined_folders.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/store/joined_environment.hpp"

namespace ddpbench {
namespace {

// Each with what tells it from another of the same id.
std::map<std::string, std::string> launches_that_ran(const ResultsFolder& folder) {
  std::map<std::string, std::string> ran;
  for (const auto& run : folder.runs()) {
    if (run.status == status::kSkipped) continue;
    auto when = run.started_utc;  // "": nobody wrote it
    if (!when.empty()) {
      when += " " + run.host_list + " ";
      append_number(when, run.wall_s);
    }
    ran.try_emplace(run.launch_id, when);
  }
  return ran;
}

// Which of the folders stand for a launch: those where it ran, else the first that plans it. A copy of a folder holds no launch of its own.
struct Claims {
  std::vector<std::size_t> planned, ran;
  std::set<std::string> seen;  // when and how long it ran: two launches have never both in common
};

std::vector<std::map<std::string, std::string>> ids_of(const std::vector<ResultsFolder>& folders) {
  std::map<std::string, Claims> claims;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const auto ran = launches_that_ran(folders[i]);
    for (const auto& row : folders[i].plan()) {
      auto& of = claims[row.launch_id];
      of.planned.push_back(i);
      const auto found = ran.find(row.launch_id);
      if (found == ran.end()) continue;
      const bool is_known = !found->second.empty() && !of.seen.insert(found->second).second;
      if (!is_known) of.ran.push_back(i);
    }
  }
  std::vector<std::map<std::string, std::string>> ids(folders.size());
  for (const auto& [id, of] : claims) {
    const auto& first = of.ran.empty() ? of.planned.front() : of.ran.front();
    ids[first][id] = id;
    for (const auto later : of.ran) {
      if (later != first) ids[later][id] = id + "-" + std::to_string(later + 1);
    }
  }
  return ids;
}

std::int64_t repetitions_in(const std::vector<ResultsFolder>& folders) {
  std::int64_t most = 0;
  for (const auto& folder : folders) {
    for (const auto& row : folder.plan()) most = std::max(most, row.repetition + 1);
  }
  return most;
}

std::string last_name(const std::string& path) {
  return std::filesystem::absolute(path + "/").lexically_normal().parent_path().filename().string();
}

// The last words of their paths, where these tell them apart.
std::vector<std::string> names_of(const std::vector<ResultsFolder>& folders) {
  std::vector<std::string> names, paths;
  for (const auto& folder : folders) {
    names.push_back(last_name(folder.path()));
    paths.push_back(folder.path());
  }
  return std::set<std::string>(names.begin(), names.end()).size() == names.size() ? names : paths;
}

}  // namespace

JoinedFolders::JoinedFolders(std::vector<ResultsFolder> folders, std::string experiment_toml)
    : folders_(std::move(folders)),
      experiment_toml_(std::move(experiment_toml)),
      ids_(ids_of(folders_)),
      repetitions_(repetitions_in(folders_)) {}

JoinedFolders::JoinedFolders(const ResultsFolder& folder) : JoinedFolders({folder}, folder.experiment_toml()) {}

std::string JoinedFolders::origin(const char* file) const {
  std::vector<std::string> paths;
  for (const auto& folder : folders_) paths.push_back(folder.path() + "/" + file);
  return join(paths, ", ");
}

std::string JoinedFolders::id_of(std::size_t folder, const std::string& launch_id) const {
  const auto& ids = ids_[folder];
  const auto found = ids.find(launch_id);
  return found == ids.end() ? "" : found->second;
}

template <class Row>
std::vector<Row> JoinedFolders::rows(std::vector<Row> (*read)(const ResultsFolder&)) const {
  std::vector<Row> all;
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    for (auto& row : read(folders_[i])) {
      row.launch_id = id_of(i, row.launch_id);
      if constexpr (requires { row.repetition; }) row.repetition += static_cast<std::int64_t>(i) * repetitions_;
      if (!row.launch_id.empty()) all.push_back(std::move(row));
    }
  }
  return all;
}

std::vector<PlanRow> JoinedFolders::plan() const {
  return rows<PlanRow>([](const ResultsFolder& folder) { return folder.plan(); });
}

std::vector<RunRow> JoinedFolders::runs() const {
  return rows<RunRow>([](const ResultsFolder& folder) { return folder.runs(); });
}

std::vector<MetricRow> JoinedFolders::metrics() const {
  return rows<MetricRow>([](const ResultsFolder& folder) { return folder.metrics(); });
}

std::vector<NodeCheckRow> JoinedFolders::node_checks() const {
  std::vector<NodeCheckRow> all;
  for (const auto& folder : folders_) {
    const auto rows = folder.node_checks();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

// A launch of a second folder is another one, whatever its name.
std::vector<CollectiveSampleRow> JoinedFolders::collective_samples() const {
  std::vector<CollectiveSampleRow> all;
  for (std::size_t folder = 0; folder < folders_.size(); ++folder) {
    for (auto& row : folders_[folder].collective_samples()) {
      if (folder > 0) row.launch_id += "-" + std::to_string(folder + 1);
      all.push_back(std::move(row));
    }
  }
  return all;
}

nlohmann::ordered_json JoinedFolders::environment() const {
  const auto names = names_of(folders_);
  std::vector<FolderEnvironment> environments;
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    environments.push_back({names[i], folders_[i].environment(), ids_[i]});
    const auto ran = launches_that_ran(folders_[i]);
    std::erase_if(environments.back().ids, [&](const auto& id) { return !ran.contains(id.first); });
  }
  return joined_environment(environments);
}

}  // namespace ddpbench
