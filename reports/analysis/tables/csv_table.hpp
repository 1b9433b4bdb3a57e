#pragma once
#include <cmath>
#include <concepts>
#include <string>

#include "suite/base/numbers.hpp"
#include "suite/contract/csv_writer.hpp"

namespace ddpbench {

// A table of the analysis in the making: cells from left to right, row by row. Numbers as in every file of a results folder: the
// shortest text that reads back to the same value, NaN empty.
class CsvTable {
 public:
  explicit CsvTable(const std::string& header) : text_(header + "\n") {}

  CsvTable& operator<<(const std::string& cell) { return add(csv_field(cell)); }
  CsvTable& operator<<(const char* cell) { return add(csv_field(cell)); }
  CsvTable& operator<<(double cell) { return add(std::isnan(cell) ? "" : shortest_text(cell)); }
  template <std::integral Integer>
  CsvTable& operator<<(Integer cell) {
    return add(shortest_text(cell));
  }
  void end_row() {
    text_ += '\n';
    first_ = true;
  }
  const std::string& text() const { return text_; }

 private:
  CsvTable& add(const std::string& cell) {
    if (!first_) text_ += ',';
    first_ = false;
    text_ += cell;
    return *this;
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace ddpbench
