#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// A spreadsheet takes a cell that begins with = + - or @ for a formula and runs it, quotes or not. A text that does, and is no number, has an
// apostrophe before it in a CSV file; so has one that begins with such an apostrophe itself, so that taking it away gives the text back.
std::string guarded(std::string text);
std::string_view unguarded(std::string_view field);

}  // namespace ddpbench
