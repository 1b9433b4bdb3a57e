#include "suite/store/node_check_file.hpp"

#include <filesystem>
#include <system_error>

#include "suite/base/durable_file.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"

namespace ddpbench {

std::vector<NodeCheckRow> read_node_checks(const std::string& folder) {
  const auto path = folder + "/" + kNodeCheckFile;
  std::error_code absent;
  if (!std::filesystem::exists(path, absent)) return {};
  return read_csv_file<NodeCheckRow>(path);
}

void add_node_checks(const std::string& folder, const std::vector<NodeCheckRow>& rows) {
  if (rows.empty()) return;
  auto text = csv_header<NodeCheckRow>();
  for (const auto& row : read_node_checks(folder)) append_csv_row(text, row);
  for (const auto& row : rows) append_csv_row(text, row);
  replace_file(folder + "/" + kNodeCheckFile, text);
}

}  // namespace ddpbench
