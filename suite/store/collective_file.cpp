#include "suite/store/collective_file.hpp"

#include <set>

#include "suite/store/table_file.hpp"

namespace ddpbench {

std::vector<CollectiveSampleRow> read_collective_samples(const std::string& folder) {
  return read_table_file<CollectiveSampleRow>(folder + "/" + kCollectiveSampleFile);
}

void add_collective_samples(const std::string& folder, const std::vector<CollectiveSampleRow>& rows) {
  if (rows.empty()) return;
  std::set<std::string> launches;
  for (const auto& row : rows) launches.insert(row.launch_id);
  CsvText<CollectiveSampleRow> text;
  for (const auto& row : read_collective_samples(folder)) {
    if (!launches.contains(row.launch_id)) text.add(row);
  }
  for (const auto& row : rows) text.add(row);
  replace_file(folder + "/" + kCollectiveSampleFile, text.take());
}

}  // namespace ddpbench
