#include "suite/contract/processes/outcome.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/contract/launch/profile.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStepsPart = "steps";
constexpr const char* kBlocksPart = "blocks";
constexpr const char* kMetricsPart = "metrics";
constexpr const char* kCollectivesPart = "collectives";
constexpr const char* kTracePart = "trace";
constexpr const char* kOutcomePart = "outcome";
constexpr std::array kPartKinds{kStepsPart, kBlocksPart, kMetricsPart, kCollectivesPart, kTracePart, kOutcomePart};

std::string part_name(const char* kind, std::int64_t rank, std::string_view extension) {
  return std::string(kind) + "." + std::to_string(rank) + std::string(extension);
}

std::string part_path(const std::string& part_dir, const char* kind, std::int64_t rank, std::string_view extension) {
  return part_dir + "/" + part_name(kind, rank, extension);
}

std::string outcome_path(const std::string& part_dir, std::int64_t rank) {
  return part_path(part_dir, kOutcomePart, rank, ".json");
}

Json to_json(const Outcome& outcome) {
  Json arms = Json::object();
  for (const auto& [arm, said] : outcome.arms) arms[arm] = Json{{"status", said.first}, {"reason", said.second}};
  return Json{{"status", outcome.status},     {"reason", outcome.reason}, {"host", outcome.host}, {"arms", arms},
              {"versions", outcome.versions}, {"facts", outcome.facts}};
}

Outcome from_json(const Json& json) {
  Outcome outcome{.status = json.at("status"),
                  .reason = json.at("reason"),
                  .arms = {},
                  .host = json.at("host"),
                  .facts = json.value("facts", decltype(Outcome::facts)()),
                  .versions = json.value("versions", decltype(Outcome::versions)())};
  for (const auto& [arm, said] : json.at("arms").items()) outcome.arms[arm] = {said.at("status"), said.at("reason")};
  return outcome;
}

}  // namespace

std::string steps_part(const std::string& part_dir, std::int64_t rank) { return part_path(part_dir, kStepsPart, rank, ".csv"); }
std::string blocks_part(const std::string& part_dir, std::int64_t rank) { return part_path(part_dir, kBlocksPart, rank, ".csv"); }
std::string metrics_part(const std::string& part_dir, std::int64_t rank) {
  return part_path(part_dir, kMetricsPart, rank, ".csv");
}

std::string collectives_part(const std::string& part_dir, std::int64_t rank) {
  return part_path(part_dir, kCollectivesPart, rank, ".csv");
}

std::string trace_part(const std::string& part_dir, std::int64_t rank, std::string_view suffix) {
  return part_path(part_dir, kTracePart, rank, suffix);
}

bool is_part_name(std::string_view name, std::int64_t rank) {
  const auto has_end = [&](std::string_view end) { return name.ends_with(end); };
  const auto traces = profilers();
  const bool is_whole = has_end(".csv") || has_end(".json") ||
                        std::any_of(traces.begin(), traces.end(), [&](const auto& entry) { return has_end(entry.suffix); });
  if (!is_whole || name.find('/') != std::string_view::npos) return false;
  return std::any_of(kPartKinds.begin(), kPartKinds.end(),
                     [&](const char* kind) { return name.starts_with(part_name(kind, rank, ".")); });
}

std::vector<std::string> part_names(const std::string& part_dir, std::int64_t rank) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(part_dir)) {
    auto name = entry.path().filename().string();
    if (is_part_name(name, rank)) names.push_back(std::move(name));
  }
  const auto is_before_outcome = [](const std::string& name) { return !name.starts_with(kOutcomePart); };
  std::stable_partition(names.begin(), names.end(), is_before_outcome);
  return names;
}

void write_outcome(const std::string& part_dir, std::int64_t rank, const Outcome& outcome) {
  // A reason may quote bytes that are no UTF-8 (a file name): they are replaced rather than lose the outcome.
  replace_file(outcome_path(part_dir, rank), to_json(outcome).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<Outcome> read_outcome(const std::string& part_dir, std::int64_t rank) {
  const auto path = outcome_path(part_dir, rank);
  if (!std::filesystem::exists(path)) return std::nullopt;
  try {
    return from_json(Json::parse(read_file(path)));
  } catch (const Json::exception& error) {
    throw Error(path + " is not an outcome of this version: " + failure_text(error));
  }
}

}  // namespace ddpbench
