#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/numbers.hpp"
#include "suite/contract/tables/csv_fields.hpp"

namespace ddpbench {

// Writes a text as a field: quoted where it must be, without control characters and broken UTF-8 (printable), guarded where a
// spreadsheet would take it for a formula (formula_guard.hpp).
std::string csv_field(const std::string& text);

// Returns the header line: "launch_id,cell_id,…\n".
template <class Row>
std::string csv_header() {
  std::string text;
  for (const auto& field : csv_fields<Row>()) {
    if (!text.empty()) text += ',';
    text += field.name;
  }
  return text + "\n";
}

// Appends one field of a row to `text`, by the type of its member.
template <class Row>
struct CellWriter {
  std::string& text;
  const Row& row;
  void operator()(std::string Row::*member) const { text += csv_field(row.*member); }
  void operator()(std::int64_t Row::*member) const { append_number(text, row.*member); }
  void operator()(bool Row::*member) const { text += row.*member ? '1' : '0'; }
  void operator()(const NumberMember<Row>& member) const {
    if (!std::isnan(member.of(row))) append_number(text, member.of(row));
  }
};

// Appends the row and its "\n" to `text`: RFC 4180 quoting, numbers as the shortest text that reads back to the same value,
// NaN as an empty field, bool as 0 or 1. Newlines and tabs in text become blanks (a line is a row).
template <class Row>
void append_csv_row(std::string& text, const Row& row) {
  bool first = true;
  for (const auto& field : csv_fields<Row>()) {
    if (!first) text += ',';
    first = false;
    std::visit(CellWriter<Row>{text, row}, field.member);
  }
  text += '\n';
}

// Collects the rows of a whole table, behind its header.
template <class Row>
class CsvText {
 public:
  void add(const Row& row) { append_csv_row(text_, row); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_ = csv_header<Row>();
};

// Returns the header and all rows.
template <class Row>
std::string csv_text(const std::vector<Row>& rows) {
  CsvText<Row> text;
  for (const auto& row : rows) text.add(row);
  return text.take();
}

}  // namespace ddpbench
