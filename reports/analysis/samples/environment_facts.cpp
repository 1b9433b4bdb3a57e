#include "reports/analysis/samples/environment_facts.hpp"

#include <nlohmann/json.hpp>

#include "suite/contract/rows.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

const Json& object_at(const Json& environment, const char* key) {
  static const Json kNone = Json::object();
  const auto found = environment.find(key);
  return found != environment.end() && found->is_object() ? *found : kNone;
}

LaunchFacts facts_of(const std::string& launch_id, const Json& object) {
  LaunchFacts launch{launch_id, {}};
  if (!object.is_object()) return launch;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) launch.facts[key] = {value.get<std::string>(), kNotMeasured};
    if (value.is_number()) launch.facts[key] = {value.dump(), value.get<double>()};
    if (value.is_boolean()) launch.facts[key] = {value.dump(), kNotMeasured};
  }
  return launch;
}

}  // namespace

std::vector<LaunchFacts> launch_facts_of(const Json& environment) {
  std::vector<LaunchFacts> launches;
  for (const auto& [id, facts] : object_at(environment, "launches").items()) launches.push_back(facts_of(id, facts));
  return launches;
}

}  // namespace ddpbench
