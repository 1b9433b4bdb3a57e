#include "suite/contract/tables/csv_writer.hpp"

#include <algorithm>

#include "suite/base/printable.hpp"
#include "suite/contract/tables/formula_guard.hpp"

namespace ddpbench {

namespace {

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

// A line is a row, so that what would end one becomes a blank.
std::string clean(std::string text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return printable(text);
}

// Names and words, which most fields are: nothing of them has to be looked at twice.
bool is_word(const std::string& text) {
  const auto is_of_phrase = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  };
  return !text.starts_with('-') && std::all_of(text.begin(), text.end(), is_of_phrase);
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (is_word(text)) return text;
  auto field = guarded(clean(text));
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace ddpbench
