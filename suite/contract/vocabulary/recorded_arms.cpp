#include "suite/contract/vocabulary/recorded_arms.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/contract/json_error_text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kArms = "arms";
constexpr const char* kFeatures = "features";

}  // namespace

nlohmann::ordered_json record_arms(const Vocabulary& vocabulary) {
  return Json{{kArms, entries_to_json(vocabulary.arms)}, {kFeatures, entries_to_json(vocabulary.features)}};
}

Vocabulary recorded_arms(const nlohmann::ordered_json& environment, const std::string& origin) {
  try {
    Vocabulary tables;
    tables.arms = entries_from_json(environment.at(kArms));
    tables.features = entries_from_json(environment.at(kFeatures));
    return tables;
  } catch (const std::exception& error) {
    throw UsageError(origin + ": its arms cannot be read: " + json_error_text(error));
  }
}

}  // namespace ddpbench
