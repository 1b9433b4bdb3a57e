#pragma once
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "suite/contract/vocabulary/entries.hpp"

namespace ddpbench {

// Returns a section of a vocabulary.json: an object for each entry, without the facts that are its kind's defaults. `Entry`: a
// kind of entries.hpp that stands there (all but LauncherEntry).
template <class Entry>
nlohmann::ordered_json entries_to_json(const std::vector<Entry>& entries);

// Reads such a section. Throws the JSON library's exception where a key is missing or of another type, UsageError for an unknown
// word.
template <class Entry>
std::vector<Entry> entries_from_json(const nlohmann::ordered_json& json);

}  // namespace ddpbench
