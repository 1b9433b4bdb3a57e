#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

#include "suite/base/numbers.hpp"

namespace ddpbench {

// Writes a field of a launch as it stands in command lines, TOML and CSV: numbers as short as they read back, true or false.
template <class Value>
std::string field_text(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else {
    return shortest_text(value);
  }
}

// Returns whether `text` is a value of that type. Where it is not, `value` stays as it was. No number is infinite or NaN.
template <class Value>
bool read_field(const std::string& text, Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    value = text;
    return true;
  } else if constexpr (std::is_same_v<Value, bool>) {
    if (text != "true" && text != "false") return false;
    value = text == "true";
    return true;
  } else {
    const auto number = parse_finite<Value>(text);
    value = number.value_or(value);
    return number.has_value();
  }
}

}  // namespace ddpbench
