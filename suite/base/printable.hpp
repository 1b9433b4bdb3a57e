#pragma once
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace ddpbench {

// Makes text from outside fit for one line of a terminal, a table or a page: control characters, separators of lines, signs that
// turn the direction of writing and broken UTF-8 become '?'. Cuts what is longer than the limit, which then ends with "…".
std::string printable(std::string_view text, std::size_t limit_bytes = std::numeric_limits<std::size_t>::max());

// Returns whether `printable` leaves `text` as it is. In a script anything else could begin a line of its own: a command.
bool is_printable_line(std::string_view text);

}  // namespace ddpbench
