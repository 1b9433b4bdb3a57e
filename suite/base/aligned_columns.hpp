#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Lays out `lines` of ASCII words as columns, two blanks apart; every line has as many words as the first. `indent` stands before
// each line.
std::string aligned_columns(const std::vector<std::vector<std::string>>& lines, const std::string& indent = "");

}  // namespace ddpbench
