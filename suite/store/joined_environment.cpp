#include "suite/store/joined_environment.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/schema.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLaunches = "launches";
constexpr const char* kSchemaVersionKey = "schema_version";
constexpr const char* kVariables = "variables";
constexpr const char* kCores = "cores";
constexpr const char* kUnset = "not set";

// The report knows an arm's role by these.
constexpr std::array<std::string_view, 2> kArmTables{"arms", "features"};

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
      if (!launch.is_object()) launch = Json::object();  // of a release that wrote none
      for (const auto& [name, value] : facts) {
        if (!launch.contains(name)) launch[name] = value;
      }
      launches[joined_id] = std::move(launch);
    }
  }
  return launches;
}

}  // namespace

nlohmann::ordered_json joined_environment(const std::vector<FolderEnvironment>& folders) {
  if (folders.size() == 1) return folders.front().environment;
  require_same_arms(folders);
  std::vector<const Json*> objects;
  for (const auto& folder : folders) objects.push_back(&folder.environment);
  Json joined = Json::object();
  for (const auto& key : keys_of(objects)) {
    if (key == kLaunches) continue;
    joined[key] = differ(folders, key) ? by_folder(folders, key) : value_at(folders.front().environment, key);
  }
  joined[kSchemaVersionKey] = kSchemaVersion;
  if (joined.contains(kCores)) joined[kCores] = least_cores(folders);
  joined[kLaunches] = joined_launches(folders);
  return joined;
}

}  // namespace ddpbench
