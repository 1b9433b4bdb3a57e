#include "suite/plan/message_text.hpp"

#include <cmath>

#include "suite/base/nearest.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
std::string shown(std::string_view text, std::size_t limit_bytes) { return printable(text, limit_bytes); }

std::string listed(const std::vector<std::string>& words) { return words.empty() ? "none" : join(words, ", "); }

std::string unknown_message(const std::string& kind, const std::string& word, const std::vector<std::string>& known) {
  return "unknown " + kind + " '" + shown(word) + "' (known: " + listed(known) + did_you_mean(known, word) + ")";
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string readable_number(double value) {
  const bool whole = std::abs(value) < 1e16 && value == std::floor(value);
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : shortest_text(value);
}

}  // namespace ddpbench
