#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/tables/schema.hpp"

namespace ddpbench {

// Calls `each` for every row of a CSV text (header first). Fields are found by their header name; further columns are ignored.
// Throws UsageError naming `origin`, line and column for a missing column, a field
// that is not of the column's type, or a row with too few or too many fields. The row is reused: copy what must stay.
template <class Row>
void for_each_csv_row(const std::string& text, const std::string& origin, const std::function<void(const Row&)>& each);

// Returns all rows of such a text; throws the same.
template <class Row>
std::vector<Row> read_csv_text(const std::string& text, const std::string& origin);

// Returns all rows of a file; throws the same, and UsageError where it is missing.
template <class Row>
std::vector<Row> read_csv_file(const std::string& path);

// Parses one line as append_csv_row wrote it, without its newline, all columns in the order of the schema. Returns "" or what is
// wrong: "column step_s: 'x' is not a number".
template <class Row>
std::string parse_csv_line(std::string_view line, Row& row);

}  // namespace ddpbench
