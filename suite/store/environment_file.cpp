#include "suite/store/environment_file.hpp"

#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/store/linear_json.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kLargestBytes = std::int64_t{256} << 20;  // facts of every launch stand in it

}  // namespace

nlohmann::ordered_json read_environment(const std::string& folder) {
  const auto path = folder + "/" + folder_file::kEnvironment;
  std::string text;
  try {
    text = read_file(path, kLargestBytes);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  auto json = parse_ordered_json(text, path);
  if (!json.is_object()) throw UsageError(path + " is not a JSON object: the folder is damaged");
  return json;
}

std::string environment_text(const nlohmann::ordered_json& environment) {
  return environment.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::int64_t looks_in(const nlohmann::ordered_json& environment) {
  const auto looks = environment.find("looks");
  return looks == environment.end() || !looks->is_array() ? 0 : static_cast<std::int64_t>(looks->size());
}

}  // namespace ddpbench
