#pragma once
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "suite/base/durable_file.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"

namespace ddpbench {

// A CSV file that may be missing, and then has no rows. Throws UsageError where it cannot be read.
template <class Row>
std::vector<Row> read_table_file(const std::string& path) {
  std::error_code absent;
  if (!std::filesystem::exists(path, absent)) return {};
  return read_csv_file<Row>(path);
}

// Rows behind those that are there; none: the file is left alone. It appears whole, by rename.
template <class Row>
void add_to_table_file(const std::string& path, const std::vector<Row>& rows) {
  if (rows.empty()) return;
  CsvText<Row> text;
  for (const auto& row : read_table_file<Row>(path)) text.add(row);
  for (const auto& row : rows) text.add(row);
  replace_file(path, text.take());
}

}  // namespace ddpbench
