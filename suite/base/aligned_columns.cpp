#include "suite/base/aligned_columns.hpp"

#include <algorithm>

namespace ddpbench {

std::string aligned_columns(const std::vector<std::vector<std::string>>& lines, const std::string& indent) {
  constexpr std::size_t kGap = 2;
  std::vector<std::size_t> widths(lines.empty() ? 0 : lines.front().size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const auto& line : lines) {
    text += indent;
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += line[i];
      text += i + 1 < line.size() ? std::string(widths[i] - line[i].size() + kGap, ' ') : "\n";
    }
  }
  return text;
}

}  // namespace ddpbench
