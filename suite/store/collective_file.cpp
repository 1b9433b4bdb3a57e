#include "suite/store/collective_file.hpp"

#include "suite/store/table_file.hpp"

namespace ddpbench {

std::vector<CollectiveSampleRow> read_collective_samples(const std::string& folder) {
  return read_table_file<CollectiveSampleRow>(folder + "/" + kCollectiveSampleFile);
}

void add_collective_samples(const std::string& folder, const std::vector<CollectiveSampleRow>& rows) {
  add_to_table_file(folder + "/" + kCollectiveSampleFile, rows);
}

}  // namespace ddpbench
