#include "suite/store/joined_folders.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/schema.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

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

// Rows of all folders, one behind the other. A launch of a second folder is another one, whatever its name.
template <class Row>
std::vector<Row> rows_of_all(const std::vector<ResultsFolder>& folders, std::vector<Row> (ResultsFolder::*rows)() const) {
  std::vector<Row> all;
  for (std::size_t folder = 0; folder < folders.size(); ++folder) {
    for (auto& row : (folders[folder].*rows)()) {
      if (folder > 0) row.launch_id += "-" + std::to_string(folder + 1);
      all.push_back(std::move(row));
    }
  }
  return all;
}

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

struct FolderEnvironment {
  std::string name;
  nlohmann::ordered_json environment;
  std::map<std::string, std::string>
      ids;  // of its launches that ran: what they are called in the whole; one that is missing is left out
};

constexpr const char* kLaunches = "launches";
constexpr const char* kSchemaVersionKey = "schema_version";
constexpr const char* kVariables = "variables";
constexpr const char* kCores = "cores";
constexpr const char* kUnset = "not set";

// The report knows an arm's role by these.
constexpr std::array<std::string_view, 2> kArmTables{"arms", "features"};

// The other tables of the vocabulary: builds may differ in names that only one of them knows, and in words.
constexpr std::array<std::string_view, 4> kTablesByName{"workloads", "strategies", "backends", "precisions"};

// What the launches of a folder ran on, where no launch tells it itself. Not here: when and how the command was started, which is never the
// same, and what the driver's own host is, for ranks may run elsewhere.
constexpr std::array<std::string_view, 10> kFactsOfLaunches{"ddpbench", "worker_build_id", "torch",  "git_commit",
                                                            "launcher", "architecture",    "kernel", "cpu_model",
                                                            "cores",    "data_origin"};

Json value_at(const Json& object, const std::string& key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? Json() : *found;
}

bool differ(const std::vector<FolderEnvironment>& folders, const std::string& key) {
  const auto first = value_at(folders.front().environment, key);
  return std::any_of(folders.begin(), folders.end(),
                     [&](const auto& folder) { return value_at(folder.environment, key) != first; });
}

// In the order of the first folder that has them.
std::vector<std::string> keys_of(const std::vector<const Json*>& objects) {
  std::vector<std::string> keys;
  std::set<std::string> known;
  for (const auto* object : objects) {
    if (!object->is_object()) continue;
    for (const auto& [key, value] : object->items()) {
      if (known.insert(key).second) keys.push_back(key);
    }
  }
  return keys;
}

Json by_folder(const std::vector<FolderEnvironment>& folders, const std::string& key) {
  Json values = Json::object();
  for (const auto& folder : folders) values[folder.name] = value_at(folder.environment, key);
  return values;
}

void require_same_arms(const std::vector<FolderEnvironment>& folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) names.push_back(folder.name);
  for (const auto key : kArmTables) {
    if (!differ(folders, std::string(key))) continue;
    throw UsageError("the folders are no study: they were written by builds of ddpbench whose tables of arms differ (" +
                     join(names, ", ") + "): report them one by one");
  }
}

// What an entry is, whatever words say it.
Json facts_of_entry(Json entry) {
  entry.erase("help");
  entry.erase("options");
  return entry;
}

// The entries of all folders, each name once.
Json joined_table(const std::vector<FolderEnvironment>& folders, const std::string& key) {
  Json joined = Json::array();
  for (const auto& folder : folders) {
    for (const auto& entry : value_at(folder.environment, key)) {
      const auto known = std::find_if(joined.begin(), joined.end(),
                                      [&](const Json& one) { return value_at(one, "name") == value_at(entry, "name"); });
      if (!entry.is_object() || known == joined.end()) {
        joined.push_back(entry);
      } else if (facts_of_entry(*known) != facts_of_entry(entry)) {
        throw UsageError("the folders are no study: " + value_at(entry, "name").dump() + " of " + key + " is something else in " +
                         folder.name + ": report them one by one");
      }
    }
  }
  return joined;
}

// What the analysis asks of them must hold on every host.
Json least_cores(const std::vector<FolderEnvironment>& folders) {
  Json least;
  for (const auto& folder : folders) {
    const auto cores = value_at(folder.environment, kCores);
    if (cores.is_number() && (least.is_null() || cores < least)) least = cores;
  }
  return least;
}

// name -> value, of what differs.
using Facts = std::map<std::string, Json>;

Facts steering_facts(const std::vector<FolderEnvironment>& folders, const Json& variables) {
  std::vector<Json> all;
  for (const auto& folder : folders) all.push_back(value_at(folder.environment, kVariables));
  std::vector<const Json*> objects;
  for (const auto& one : all) objects.push_back(&one);
  Facts facts;
  for (const auto& name : keys_of(objects)) {
    const auto here = value_at(variables, name);
    const bool is_same = std::all_of(all.begin(), all.end(), [&](const Json& one) { return value_at(one, name) == here; });
    if (!is_same) facts["$" + name] = here.is_null() ? Json(kUnset) : here;
  }
  return facts;
}

Facts facts_of(const std::vector<FolderEnvironment>& folders, const FolderEnvironment& folder) {
  Facts facts = steering_facts(folders, value_at(folder.environment, kVariables));
  facts["job"] = folder.name;
  for (const auto key : kFactsOfLaunches) {
    const std::string name(key);
    if (!differ(folders, name)) continue;
    const auto value = value_at(folder.environment, name);
    facts[name] = value.is_structured() ? Json(value.dump()) : value;
  }
  return facts;
}

Json joined_launches(const std::vector<FolderEnvironment>& folders) {
  Json launches = Json::object();
  for (const auto& folder : folders) {
    const auto facts = facts_of(folders, folder);
    const auto own = value_at(folder.environment, kLaunches);
    for (const auto& [id, joined_id] : folder.ids) {
      auto launch = value_at(own, id);
      if (!launch.is_object()) launch = Json::object();
      for (const auto& [name, value] : facts) {
        if (!launch.contains(name)) launch[name] = value;
      }
      launches[joined_id] = std::move(launch);
    }
  }
  return launches;
}

// What JoinedFolders::environment() says.
nlohmann::ordered_json joined_environment(const std::vector<FolderEnvironment>& folders) {
  if (folders.size() == 1) return folders.front().environment;
  require_same_arms(folders);
  std::vector<const Json*> objects;
  for (const auto& folder : folders) objects.push_back(&folder.environment);
  Json joined = Json::object();
  for (const auto& key : keys_of(objects)) {
    if (key == kLaunches) continue;
    if (holds(kTablesByName, key) && differ(folders, key)) {
      joined[key] = joined_table(folders, key);
      continue;
    }
    joined[key] = differ(folders, key) ? by_folder(folders, key) : value_at(folders.front().environment, key);
  }
  joined[kSchemaVersionKey] = kSchemaVersion;
  if (joined.contains(kCores)) joined[kCores] = least_cores(folders);
  joined[kLaunches] = joined_launches(folders);
  return joined;
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

std::vector<CollectiveSampleRow> JoinedFolders::collective_samples() const {
  return rows_of_all(folders_, &ResultsFolder::collective_samples);
}

std::vector<TracePartRow> JoinedFolders::trace_parts() const { return rows_of_all(folders_, &ResultsFolder::trace_parts); }

std::vector<TraceMemoryRow> JoinedFolders::trace_memory() const { return rows_of_all(folders_, &ResultsFolder::trace_memory); }

std::vector<ProfileRow> JoinedFolders::profiles() const {
  std::vector<ProfileRow> all;
  for (std::size_t folder = 0; folder < folders_.size(); ++folder) {
    for (auto& row : folders_[folder].profiles()) {
      if (folder > 0) row.launch_id += "-" + std::to_string(folder + 1);
      if (folders_.size() > 1 && !row.file.empty()) row.file = folders_[folder].path() + "/" + row.file;
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
