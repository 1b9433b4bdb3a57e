#include "suite/launch/probe/probe_cache.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxBytes = 1 << 20;
constexpr int kMaxDepth = 16;  // of a JSON value in others; to copy one takes recursion

std::string boot_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

std::string modification_time(const fs::path& path) {
  std::error_code failed;
  const auto time = fs::last_write_time(path, failed);
  return failed ? "" : std::to_string(time.time_since_epoch().count());
}

// Null where the text is none, or nested deeper than any answer.
Json read_json(const std::string& text) {
  bool too_deep = false;
  const auto look_at_depth = [&](int depth, Json::parse_event_t /*event*/, const Json& /*parsed*/) {
    too_deep = too_deep || depth > kMaxDepth;
    return true;
  };
  auto json = Json::parse(text, look_at_depth, false);
  return too_deep ? Json() : json;
}

std::string kept_text() {
  try {
    return read_file(probe_cache_path().string(), kMaxBytes);
  } catch (const Error&) {
    return "";
  }
}

bool holds_texts(const Json& reasons) {
  return reasons.is_object() &&
         std::all_of(reasons.begin(), reasons.end(), [](const Json& reason) { return reason.is_string(); });
}

}  // namespace

bool is_probe(const Json& answer) {
  if (!answer.is_object() || !answer.value("worker_build_id", Json("")).is_string()) return false;
  if (!answer.value("gpus", Json(0)).is_number_integer()) return false;
  return has_reasons(answer);
}

bool has_reasons(const Json& answer) {
  if (!answer.is_object()) return false;
  const auto why_not = answer.value("why_not", Json::object());
  return why_not.is_object() && std::all_of(why_not.begin(), why_not.end(), holds_texts);
}

ProbeKey probe_key(const fs::path& worker, const std::string& worker_build_id) {
  ProbeKey key{{"worker", worker.string()},
               {"worker_build_id", worker_build_id},
               {"worker_modified", modification_time(worker)},
               {"boot_id", boot_id()}};
  // A job sees the devices that it was given.
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "SLURM_JOB_ID", "PBS_JOBID", "LD_LIBRARY_PATH"})
    key[name] = environment_variable(name);
  return key;
}

fs::path probe_cache_path() {
  const auto cache = cache_folder();
  if (cache.empty()) return {};
  return fs::path(cache) / ("probe-" + host_name() + ".json");
}

std::optional<Json> find_kept_probe(const ProbeKey& key) {
  const auto kept = read_json(kept_text());
  if (!kept.is_object() || !kept.contains("key") || !kept.contains("probe")) return std::nullopt;
  if (kept.at("key") != Json(key) || !is_probe(kept.at("probe"))) return std::nullopt;
  return kept.at("probe");
}

void keep_probe(const ProbeKey& key, const Json& probe) {
  const auto path = probe_cache_path();
  if (path.empty()) return;
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  try {
    replace_file(path.string(), Json{{"key", key}, {"probe", probe}}.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  } catch (const Error&) {  // the next command asks again
  }
}

}  // namespace ddpbench
