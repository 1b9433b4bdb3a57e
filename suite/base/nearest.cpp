#include "suite/base/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace ddpbench {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j < last.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last.back();
}

constexpr std::size_t kFewestLetters = 3, kLongestAbbreviation = 4, kMostGuesses = 4;

// Letters and digits alone, in lower case.
std::string letters_of(const std::string& word) {
  std::string letters;
  for (const char letter : word) {
    const auto c = static_cast<unsigned char>(letter);
    if (std::isalnum(c) != 0) letters += static_cast<char>(std::tolower(c));
  }
  return letters;
}

bool holds_all(const std::string& letters, const std::string& wanted) {
  return wanted.size() >= kFewestLetters && letters.find(wanted) != std::string::npos;
}

// Whether the first letters are the same and the others follow in order.
bool is_abbreviated_by(const std::string& letters, const std::string& wanted) {
  if (wanted.size() < 2 || wanted.size() > kLongestAbbreviation || letters.front() != wanted.front()) return false;
  std::size_t at = 0;
  for (const char c : letters) {
    if (at < wanted.size() && wanted[at] == c) ++at;
  }
  return at == wanted.size();
}

template <class Is>
std::vector<std::string> at_most_four(const std::vector<std::string>& known, const Is& is) {
  std::vector<std::string> found;
  for (const auto& candidate : known) {
    const auto letters = letters_of(candidate);
    if (found.size() < kMostGuesses && !letters.empty() && is(letters)) found.push_back(candidate);
  }
  return found;
}

}  // namespace

std::string nearest(const std::vector<std::string>& known, const std::string& word) {
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return "";
  std::string best;
  std::size_t best_distance = std::min<std::size_t>(word.size() / 3, 3) + 1;
  for (const auto& candidate : known) {
    const auto distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::vector<std::string> meant_by(const std::vector<std::string>& known, const std::string& word) {
  if (auto near = nearest(known, word); !near.empty()) return {std::move(near)};
  const auto wanted = letters_of(word);
  if (auto holding = at_most_four(known, [&](const auto& letters) { return holds_all(letters, wanted); }); !holding.empty())
    return holding;
  return at_most_four(known, [&](const auto& letters) { return is_abbreviated_by(letters, wanted); });
}

std::string did_you_mean(const std::vector<std::string>& known, const std::string& word) {
  const auto meant = meant_by(known, word);
  std::string text;
  for (std::size_t i = 0; i < meant.size(); ++i) {
    const auto* between = i == 0 ? "" : i + 1 == meant.size() ? " or " : ", ";
    text += between + ("'" + meant[i] + "'");
  }
  return text.empty() ? "" : "; did you mean " + text + "?";
}

}  // namespace ddpbench
