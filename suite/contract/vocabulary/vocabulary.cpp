#include "suite/contract/vocabulary/vocabulary.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/contract/vocabulary/entries_json.hpp"
#include "suite/contract/vocabulary/recorded_vocabulary.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

std::string vocabulary_text(const std::string& path) {
  try {
    return read_file(path);
  } catch (const Error& error) {
    throw CannotRun(error.what());
  }
}

}  // namespace

bool occupies_gpus(const Vocabulary& tables, std::string_view backend) {
  return find_entry(tables.backends, "backend", backend).device == "cuda";
}

nlohmann::ordered_json to_json(const Vocabulary& vocabulary) {
  Json json{{"worker_build_id", vocabulary.worker_build_id}, {"torch_version", vocabulary.torch_version}};
  json.update(record_vocabulary(vocabulary));
  json["metrics"] = entries_to_json(vocabulary.metrics);
  return json;
}

Vocabulary vocabulary_from_json(const nlohmann::ordered_json& json, const std::string& origin) {
  try {
    auto vocabulary = recorded_vocabulary(json, "vocabulary");
    vocabulary.worker_build_id = json.at("worker_build_id");
    vocabulary.torch_version = json.at("torch_version");
    vocabulary.metrics = entries_from_json<MetricEntry>(json.at("metrics"));
    return vocabulary;
  } catch (const std::exception& error) {
    throw CannotRun(origin + " is not of this version (" + failure_text(error) + "): run ./bootstrap.sh build");
  }
}

Vocabulary read_vocabulary(const std::string& path) {
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable))
    throw CannotRun(path + " is missing: the worker was not built: run ./bootstrap.sh build");
  const auto json = Json::parse(vocabulary_text(path), nullptr, false);
  if (json.is_discarded()) throw CannotRun(path + " is not JSON: run ./bootstrap.sh build");
  return vocabulary_from_json(json, path);
}

}  // namespace ddpbench
