#pragma once
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ddpbench {

// What a probe's answer depends on. An answer that was kept under another key is not used.
using ProbeKey = std::map<std::string, std::string>;
ProbeKey probe_key(const std::filesystem::path& worker, const std::string& worker_build_id);

// $XDG_CACHE_HOME or ~/.cache, then ddpbench/probe-<hostname>.json; empty where neither variable is set: nothing is kept then.
std::filesystem::path probe_cache_path();

// Whether an answer has the shape that its readers rely on.
bool is_probe(const nlohmann::ordered_json& answer);

// Whether its `why_not`, if it has one, is reasons by kind and name.
bool has_reasons(const nlohmann::ordered_json& answer);

// A cache that cannot be read or is damaged, or cannot be written, only costs time: no error.
std::optional<nlohmann::ordered_json> find_kept_probe(const ProbeKey& key);
void keep_probe(const ProbeKey& key, const nlohmann::ordered_json& probe);

}  // namespace ddpbench
