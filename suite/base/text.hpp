#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Joins {"a", "b"} with ", " to "a, b".
template <class Words>
std::string join(const Words& words, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& word : words) {
    if (!first) text += separator;
    first = false;
    text += word;
  }
  return text;
}

// Splits "a,,b" at ',' into {"a", "", "b"}; gives one empty part for an empty text.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const auto end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

// Writes two digits for each byte: {0x0a, 0xff} -> "0aff".
template <class Bytes>
std::string hexadecimal(const Bytes& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) text += {kDigits[byte / 16], kDigits[byte % 16]};
  return text;
}

// Returns "1 rank", "2 ranks", "2 launches".
inline std::string counted(std::int64_t count, const std::string& noun) {
  const char* ending = count == 1 ? "" : noun.ends_with("ch") ? "es" : "s";
  return std::to_string(count) + " " + noun + ending;
}

// Returns whether a word is among others; for lists that are too short to be worth a set.
template <class Words>
bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace ddpbench
