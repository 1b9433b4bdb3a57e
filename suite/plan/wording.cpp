#include "suite/plan/wording.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "suite/base/numbers.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string shown(std::string_view text, std::size_t limit_bytes) { return printable(text, limit_bytes); }

std::string listed(const std::vector<std::string>& words) { return words.empty() ? "none" : join(words, ", "); }

std::vector<std::string> names_of(const std::vector<VocabularyEntry>& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

std::string nearest(const std::vector<std::string>& known, const std::string& word) {
  if (word.size() > 64) return "";
  std::string best;
  std::size_t best_distance = std::min<std::size_t>(word.size() / 3, 3) + 1;  // "ddp" may be off by one, "batch_size" by three
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string unknown_message(const std::string& kind, const std::string& word, const std::vector<std::string>& known) {
  const auto guess = nearest(known, word);
  const auto hint = guess.empty() ? "" : "; did you mean '" + guess + "'?";
  return "unknown " + kind + " '" + shown(word) + "' (known: " + listed(known) + hint + ")";
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
