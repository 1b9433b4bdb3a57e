#include "suite/contract/recorded_arms.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/contract/json_words.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kArms = "arms";
constexpr const char* kFeatures = "features";
constexpr const char* kEarlierFeatures = "arm_features";

// The arms of folders that hold no roles. Frozen: a new arm is recorded by the run that has it.
Vocabulary earlier_arms() {
  const std::string raw = "raw";
  Vocabulary tables;
  tables.arms = {
      {.name = raw, .role = ArmRole::kReference},
      {.name = "raw_again", .role = ArmRole::kAaControl, .reference = raw},
      {.name = "injected",
       .takes = {"on_device"},
       .role = ArmRole::kPositiveControl,
       .reference = raw,
       .clocks = {clock_name::kWall, clock_name::kThreadCpu, clock_name::kAwaited, clock_name::kProcessCpu}},
      {.name = "injected_periodic", .role = ArmRole::kPositiveControl, .reference = raw},
      {.name = "trainer", .reference = raw, .is_wrapper = true},
  };
  tables.features = {
      {.name = "timers", .without_makes = ArmRole::kProbe},
      {.name = "nvtx", .without_makes = ArmRole::kProbe},
      {.name = "ideal", .makes = ArmRole::kProbe, .is_ideal_network = true},
      {.name = "on_device", .clocks = {clock_name::kDevice}},
  };
  return tables;
}

std::vector<std::string> strings_of(const Json& array) {
  std::vector<std::string> strings;
  if (!array.is_array()) return strings;
  for (const auto& item : array) {
    if (item.is_string()) strings.push_back(item.get<std::string>());
  }
  return strings;
}

VocabularyEntry& entry_of(std::vector<VocabularyEntry>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  return found == entries.end() ? entries.emplace_back(VocabularyEntry{.name = name}) : *found;
}

Vocabulary with_recorded_features(const Json& environment) {
  auto tables = earlier_arms();
  const auto found = environment.find(kEarlierFeatures);
  if (found == environment.end() || !found->is_object()) return tables;
  for (const auto& [base, features] : found->items()) entry_of(tables.arms, base).features = strings_of(features);
  return tables;
}

}  // namespace

nlohmann::ordered_json record_arms(const Vocabulary& vocabulary) {
  return Json{{kArms, entries_to_json(vocabulary.arms)}, {kFeatures, entries_to_json(vocabulary.features)}};
}

Vocabulary recorded_arms(const nlohmann::ordered_json& environment, const std::string& origin) {
  if (!environment.contains(kArms)) return with_recorded_features(environment);
  try {
    Vocabulary tables;
    tables.arms = entries_from_json(environment.at(kArms));
    tables.features = entries_from_json(environment.at(kFeatures));
    return tables;
  } catch (const std::exception& error) {
    throw UsageError(origin + ": its arms cannot be read: " + json_words(error));
  }
}

}  // namespace ddpbench
