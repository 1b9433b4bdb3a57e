#include "suite/plan/wording.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text`; 0 where there is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (lead >= 0xF5 || length > text.size()) return 0;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), continues) ? length : 0;
}

bool printable(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence.front());
  // U+0080…U+009F steer terminals just as the first 32 do.
  const bool c1_control = lead == 0xC2 && static_cast<unsigned char>(sequence.back()) < 0xA0;
  return lead >= 0x20 && lead != 0x7F && !c1_control;
}

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

std::string shown(std::string_view text, std::size_t limit_bytes) {
  std::string safe;
  while (!text.empty() && safe.size() < limit_bytes) {
    const std::size_t length = utf8_length(text);
    const auto sequence = text.substr(0, std::max<std::size_t>(length, 1));
    safe += length > 0 && printable(sequence) ? std::string(sequence) : "?";
    text.remove_prefix(sequence.size());
  }
  return text.empty() ? safe : safe + "…";
}

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
