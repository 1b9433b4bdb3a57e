#include "suite/contract/vocabulary/recorded_vocabulary.hpp"

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
constexpr const char* kBackends = "backends";

}  // namespace

nlohmann::ordered_json record_vocabulary(const Vocabulary& vocabulary) {
  return Json{{kArms, entries_to_json(vocabulary.arms)},
              {kFeatures, entries_to_json(vocabulary.features)},
              {kBackends, entries_to_json(vocabulary.backends)}};
}

Vocabulary recorded_vocabulary(const nlohmann::ordered_json& environment, const std::string& origin) {
  try {
    Vocabulary tables;
    tables.arms = entries_from_json(environment.at(kArms));
    tables.features = entries_from_json(environment.at(kFeatures));
    tables.backends = entries_from_json(environment.at(kBackends));
    return tables;
  } catch (const std::exception& error) {
    throw UsageError(origin + ": its arms, features and backends cannot be read: " + json_error_text(error));
  }
}

}  // namespace ddpbench
