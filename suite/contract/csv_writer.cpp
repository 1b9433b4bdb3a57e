#include "suite/contract/csv_writer.hpp"

#include <algorithm>

namespace ddpbench {

std::string csv_field(const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  const auto asks_for_quotes = [&](char c) { return c == ',' || c == '"' || is_control(c); };
  if (std::none_of(text.begin(), text.end(), asks_for_quotes)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += is_control(c) ? ' ' : c;
  }
  return quoted + '"';
}

}  // namespace ddpbench
