#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ddpbench {

// Holds what a probe's answer depends on. An answer that was kept under another key is not used.
using ProbeKey = std::map<std::string, std::string>;

// Returns the key now: the worker and its build, this boot, and the variables of device, job and library path.
ProbeKey probe_key(const std::filesystem::path& worker, const std::string& worker_build_id);

// Returns $XDG_CACHE_HOME or ~/.cache, then ddpbench/probe-<hostname>.json; empty where neither variable is set: nothing is kept
// then.
std::filesystem::path probe_cache_path();

// Returns whether an answer has the shape that its readers rely on.
bool is_probe(const nlohmann::ordered_json& answer);

// Returns whether its `why_not`, if it has one, is reasons by kind and name.
bool has_reasons(const nlohmann::ordered_json& answer);

// Returns the answer that was kept under this key. A cache that cannot be read or is damaged only costs time: no error.
std::optional<nlohmann::ordered_json> find_kept_probe(const ProbeKey& key);

// Keeps the answer in the place of an earlier one; a cache that cannot be written is no error.
void keep_probe(const ProbeKey& key, const nlohmann::ordered_json& probe);

}  // namespace ddpbench
