#include "suite/base/printable.hpp"

#include <algorithm>

namespace ddpbench {
namespace {

unsigned char byte(std::string_view text, std::size_t place) { return static_cast<unsigned char>(text[place]); }

// U+0800…, U+10000… in fewer bytes than they take, surrogates, and what lies beyond U+10FFFF.
bool is_misspelt(std::string_view sequence) {
  if (sequence.size() < 3) return false;
  const auto lead = byte(sequence, 0);
  const auto second = byte(sequence, 1);
  return (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) || (lead == 0xF0 && second < 0x90) ||
         (lead == 0xF4 && second >= 0x90);
}

// Length of the well-formed UTF-8 sequence at the start of `text`; 0 where there is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = byte(text, 0);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (lead >= 0xF5 || length > text.size() || length == 0) return 0;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const bool whole = std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), continues);
  return whole && !is_misspelt(text.substr(0, length)) ? length : 0;
}

// U+2028 and U+2029 end a line; U+202A…U+202E and U+2066…U+2069 let a line read otherwise than it is.
bool breaks_or_turns_line(std::string_view sequence) {
  if (sequence.size() != 3 || byte(sequence, 0) != 0xE2) return false;
  const auto last = byte(sequence, 2);
  return (byte(sequence, 1) == 0x80 && last >= 0xA8 && last <= 0xAE) ||
         (byte(sequence, 1) == 0x81 && last >= 0xA6 && last <= 0xA9);
}

bool is_printable(std::string_view sequence) {
  const auto lead = byte(sequence, 0);
  // U+0080…U+009F steer terminals just as the first 32 do.
  const bool c1_control = lead == 0xC2 && byte(sequence, 1) < 0xA0;
  return lead >= 0x20 && lead != 0x7F && !c1_control && !breaks_or_turns_line(sequence);
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit_bytes) {
  std::string safe;
  while (!text.empty() && safe.size() < limit_bytes) {
    const std::size_t length = utf8_length(text);
    const auto sequence = text.substr(0, std::max<std::size_t>(length, 1));
    if (length > 0 && is_printable(sequence)) {
      safe += sequence;
    } else {
      safe += '?';
    }
    text.remove_prefix(sequence.size());
  }
  return text.empty() ? safe : safe + "…";
}

bool is_printable_line(std::string_view text) { return printable(text) == text; }

}  // namespace ddpbench
