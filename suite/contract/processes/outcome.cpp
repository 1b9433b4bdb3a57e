#include "suite/contract/processes/outcome.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/contract/launch/profile.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

std::string part_path(const std::string& part_dir, const char* kind, std::int64_t rank, std::string_view extension) {
  return part_dir + "/" + kind + "." + std::to_string(rank) + std::string(extension);
}

std::string outcome_path(const std::string& part_dir, std::int64_t rank) { return part_path(part_dir, "outcome", rank, ".json"); }

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

std::string steps_part(const std::string& part_dir, std::int64_t rank) { return part_path(part_dir, "steps", rank, ".csv"); }
std::string blocks_part(const std::string& part_dir, std::int64_t rank) { return part_path(part_dir, "blocks", rank, ".csv"); }
std::string metrics_part(const std::string& part_dir, std::int64_t rank) { return part_path(part_dir, "metrics", rank, ".csv"); }

std::string collectives_part(const std::string& part_dir, std::int64_t rank) {
  return part_path(part_dir, "collectives", rank, ".csv");
}

std::string trace_part(const std::string& part_dir, std::int64_t rank, std::string_view suffix) {
  return part_path(part_dir, "trace", rank, suffix);
}

std::vector<std::string> part_files(const std::string& part_dir, std::int64_t rank) {
  std::vector<std::string> files{steps_part(part_dir, rank), blocks_part(part_dir, rank), metrics_part(part_dir, rank),
                                 collectives_part(part_dir, rank)};
  for (const auto& entry : profilers()) files.push_back(trace_part(part_dir, rank, entry.suffix));
  files.push_back(outcome_path(part_dir, rank));
  return files;
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
