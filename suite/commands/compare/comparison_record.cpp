#include "suite/commands/compare/comparison_record.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

std::string path_in(const std::string& folder) { return folder + "/" + kComparisonRecord; }

}  // namespace

void write_comparison_record(const std::string& folder, const ComparisonRecord& record) {
  const nlohmann::ordered_json json{{"base", record.base},
                                    {"new", record.fresh},
                                    {"base_again", record.again},
                                    {"threshold_percent", record.threshold_percent},
                                    {"costs_only", record.costs_only}};
  replace_file(path_in(folder), json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

bool has_comparison_record(const std::string& folder) {
  std::error_code unknown;
  return std::filesystem::exists(path_in(folder), unknown);
}

ComparisonRecord read_comparison_record(const std::string& folder) {
  const auto text = read_file(path_in(folder));
  try {
    const auto json = nlohmann::json::parse(text);
    return {json.at("base").get<std::string>(), json.at("new").get<std::string>(), json.at("base_again").get<bool>(),
            json.at("threshold_percent").get<double>(), json.at("costs_only").get<bool>()};
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(path_in(folder) + " is damaged: " + error.what());
  }
}

}  // namespace ddpbench
