#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Returns what environment.json records of a vocabulary, so that a report knows each arm's role, what each backend runs on and
// what each name means: {"workloads": […], "strategies": […], …}.
nlohmann::ordered_json record_vocabulary(const Vocabulary& vocabulary);

// Reads it back as a vocabulary of these only. Throws UsageError naming `origin` where they cannot be read.
Vocabulary recorded_vocabulary(const nlohmann::ordered_json& environment, const std::string& origin);

}  // namespace ddpbench
