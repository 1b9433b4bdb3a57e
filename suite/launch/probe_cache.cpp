#include "suite/launch/probe_cache.hpp"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "suite/base/surroundings.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

ProbeKey probe_key(const fs::path& worker, const std::string& worker_build_id) {
  ProbeKey key{{"worker", worker.string()},
               {"worker_build_id", worker_build_id},
               {"worker_modified", modification_time(worker)},
               {"boot_id", boot_id()}};
  // A job sees the devices that it was given.
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "SLURM_JOB_ID", "LD_LIBRARY_PATH"}) key[name] = environment_variable(name);
  return key;
}

fs::path probe_cache_path() {
  const auto cache = cache_folder();
  if (cache.empty()) return {};
  return fs::path(cache) / ("probe-" + host_name() + ".json");
}

std::optional<nlohmann::ordered_json> find_kept_probe(const ProbeKey& key) {
  std::ifstream file(probe_cache_path());
  const auto kept = nlohmann::ordered_json::parse(file, nullptr, false);
  if (!kept.is_object() || !kept.contains("key") || !kept.contains("probe")) return std::nullopt;
  if (kept.at("key") != nlohmann::ordered_json(key) || !kept.at("probe").is_object()) return std::nullopt;
  return kept.at("probe");
}

void keep_probe(const ProbeKey& key, const nlohmann::ordered_json& probe) {
  const auto path = probe_cache_path();
  if (path.empty()) return;
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  const auto fresh = path.string() + "." + std::to_string(::getpid());
  std::ofstream file(fresh);
  file << nlohmann::ordered_json{{"key", key}, {"probe", probe}}.dump(1) << '\n';
  file.close();
  if (file) fs::rename(fresh, path, failed);
  if (!file || failed) fs::remove(fresh, failed);
}

}  // namespace ddpbench
