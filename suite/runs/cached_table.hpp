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

// Tables that this program keeps in its cache folder, for its next call. `path`: "" where there is no such folder. One that cannot be read or
// is damaged has no rows, and one that cannot be written is not kept: what it holds is a help, and no error.

template <class Row>
std::vector<Row> read_cached_table(const std::filesystem::path& path) {
  constexpr std::int64_t kMostBytes = 4 << 20;
  try {
    return path.empty() ? std::vector<Row>{} : read_csv_text<Row>(read_file(path.string(), kMostBytes), path.string());
  } catch (const Error&) {
    return {};
  }
}

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
