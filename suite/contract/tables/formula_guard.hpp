#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// Puts an apostrophe before a text that a spreadsheet would take for a formula and run, quotes or not: it begins with = + - or @,
// and is no number. Does so too where the text begins with such an apostrophe, so that taking it away gives the text back.
std::string guarded(std::string text);

// Takes that apostrophe away, where it is there.
std::string_view unguarded(std::string_view field);

}  // namespace ddpbench
