#pragma once
#include <string>
#include <vector>

namespace ddpbench {

// Lines of words as columns, two blanks between them; every line has as many words as the first. Words are ASCII. `indent`: before each line.
std::string aligned_columns(const std::vector<std::vector<std::string>>& lines, const std::string& indent = "");

}  // namespace ddpbench
