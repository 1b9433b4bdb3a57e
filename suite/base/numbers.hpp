#pragma once
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace ddpbench {

// Returns whether a number begins with a zero that is not its only digit before the point: "010" (8 to some readers, 10 to
// others), "-00.5"; not "0", "0.5" or "10".
constexpr bool has_leading_zero(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

// Parses the whole text as a number; nothing where it is none. Independent of the locale; no blanks, no leading + and no leading
// zero, as in TOML. "inf" and "nan" are numbers of type double.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  if (has_leading_zero(text)) return std::nullopt;
  Number value{};
  const auto* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

// Parses the same without infinities and NaN.
template <class Number>
std::optional<Number> parse_finite(std::string_view text) {
  auto value = parse_number<Number>(text);
  if constexpr (std::is_floating_point_v<Number>) {
    if (value && !std::isfinite(*value)) return std::nullopt;
  }
  return value;
}

// Appends the shortest text that reads back to the same value. Allocates nothing but the text's own growth.
template <class Number>
void append_number(std::string& text, Number value) {
  std::array<char, 32> buffer{};  // the longest double, "-2.2250738585072014e-308", has 24 characters
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end.ptr);
}

// Returns the shortest text that reads back to the same value.
template <class Number>
std::string shortest_text(Number value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace ddpbench
