#pragma once
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {

// Keeps tables in this program's cache folder, for its next call: what they hold is a help, so that no failure is an error.

// Returns the rows; none where `path` is "" (there is no such folder), or the table cannot be read or is damaged.
template <class Row>
std::vector<Row> read_cached_table(const std::filesystem::path& path) {
  constexpr std::int64_t kMostBytes = 4 << 20;
  try {
    return path.empty() ? std::vector<Row>{} : read_csv_text<Row>(read_file(path.string(), kMostBytes), path.string());
  } catch (const Error&) {
    return {};
  }
}

// Writes the table; one that cannot be written is not kept.
template <class Row>
void write_cached_table(const std::filesystem::path& path, const std::vector<Row>& rows) {
  auto text = csv_header<Row>();
  for (const auto& row : rows) append_csv_row(text, row);
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  try {
    replace_file(path.string(), text);
  } catch (const Error&) {  // the next call does without
  }
}

}  // namespace ddpbench
