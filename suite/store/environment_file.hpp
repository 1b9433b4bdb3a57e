#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddpbench {

// Reads environment.json of a results folder. Throws UsageError where it is no JSON object, is larger than any run's, or is
// nested so deeply that those who walk it would run out of stack.
nlohmann::ordered_json read_environment(const std::string& folder);

// Returns how often the run has looked at its results while launches were added (`looks`); 0: it measured what was planned at
// once.
std::int64_t looks_in(const nlohmann::ordered_json& environment);

// Writes it as it stands in the file.
std::string environment_text(const nlohmann::ordered_json& environment);

}  // namespace ddpbench
