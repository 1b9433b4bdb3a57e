#pragma once
#include <string>
#include <vector>

#include "suite/plan/mistakes.hpp"
#include "suite/plan/setting.hpp"

namespace ddpbench {

// Returns the keys of a TOML text in the order of its lines, nothing about them checked yet. Throws UsageError at a syntax error,
// quoting the line with its number, and for what is beyond the bounds of toml_bounds.hpp.
std::vector<Setting> settings_from_toml(const std::string& text, const std::string& origin);

// Parses "protocol.launches=1,2": key (its section may be left out) and values. Leaves out what is malformed; `mistakes` then
// says how.
std::vector<Setting> settings_from_command_line(const std::vector<std::string>& texts, Mistakes& mistakes);

}  // namespace ddpbench
