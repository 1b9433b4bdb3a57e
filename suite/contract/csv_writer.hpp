#pragma once
#include <string>

#include "suite/contract/schema.hpp"

namespace ddpbench {

// "launch_id,cell_id,…\n"
template <class Row>
std::string csv_header();

// Appends the row and its "\n" to `text`: RFC 4180 quoting, numbers as the shortest text that reads back to the same value,
// NaN as an empty field, bool as 0 or 1. Newlines in text become blanks (a line is a row).
template <class Row>
void append_csv_row(std::string& text, const Row& row);

// A field by itself, quoted where it must be.
std::string csv_field(const std::string& text);

}  // namespace ddpbench
