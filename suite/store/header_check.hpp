#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// Says what is wrong with the first line of a CSV text whose header should be `expected`; "" where nothing is.
inline std::string why_no_header(std::string_view text, std::string_view expected) {
  if (text.starts_with(expected)) return "";
  const auto first = text.substr(0, text.find('\n'));
  return first.ends_with('\r') ? "its lines end in CR LF, as some editors and transfers in text mode write them"
                               : "the header does not match the schema";
}

}  // namespace ddpbench
