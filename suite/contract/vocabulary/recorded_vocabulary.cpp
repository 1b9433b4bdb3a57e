#include "suite/contract/vocabulary/recorded_vocabulary.hpp"

#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "suite/contract/json_error_text.hpp"
#include "suite/contract/vocabulary/entries_json.hpp"

namespace ddpbench {
namespace {

// Calls `visit` with the name and the table of each section that is recorded.
template <class Tables, class Visit>
void for_each_recorded(Tables& tables, Visit visit) {
  visit("workloads", tables.workloads);
  visit("strategies", tables.strategies);
  visit("backends", tables.backends);
  visit("precisions", tables.precisions);
  visit("arms", tables.arms);
  visit("features", tables.features);
}

}  // namespace

nlohmann::ordered_json record_vocabulary(const Vocabulary& vocabulary) {
  nlohmann::ordered_json json;
  for_each_recorded(vocabulary, [&](const char* name, const auto& entries) { json[name] = entries_to_json(entries); });
  return json;
}

Vocabulary recorded_vocabulary(const nlohmann::ordered_json& environment, const std::string& origin) {
  Vocabulary tables;
  for_each_recorded(tables, [&]<class Entry>(const char* name, std::vector<Entry>& entries) {
    try {
      entries = entries_from_json<Entry>(environment.at(name));
    } catch (const std::exception& error) {
      throw UsageError(origin + ": its " + name + " cannot be read: " + json_error_text(error));
    }
  });
  return tables;
}

}  // namespace ddpbench
