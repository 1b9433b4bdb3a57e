#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ddpbench {

// Parses in linear time, also an object of 100,000 keys: nlohmann's own parser looks for each key among all before it, as
// ordered_json is a list. The keys keep their order. Throws UsageError where `text` is no JSON, is nested deeper than any file of
// ours or has a key twice: its text begins with `what`, the file's name.
nlohmann::ordered_json parse_ordered_json(const std::string& text, const std::string& what);

}  // namespace ddpbench
