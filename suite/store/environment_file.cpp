#include "suite/store/environment_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/store/results_folder.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kLargestBytes = std::int64_t{256} << 20;  // facts of every launch stand in it
constexpr int kDeepest = 64;                                     // a run's has six

// An upper bound: brackets in texts count too.
int depth_of(std::string_view json) {
  int depth = 0, deepest = 0;
  for (const char c : json) {
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

}  // namespace

nlohmann::ordered_json read_environment(const std::string& folder) {
  const auto path = folder + "/" + folder_file::kEnvironment;
  std::string text;
  try {
    text = read_file(path, kLargestBytes);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (depth_of(text) > kDeepest) {
    throw UsageError(path + " is nested more than " + std::to_string(kDeepest) + " levels deep: the folder is damaged");
  }
  auto json = nlohmann::ordered_json::parse(text, nullptr, false);
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
