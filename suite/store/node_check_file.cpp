#include "suite/store/node_check_file.hpp"

#include "suite/store/table_file.hpp"

namespace ddpbench {

std::vector<NodeCheckRow> read_node_checks(const std::string& folder) {
  return read_table_file<NodeCheckRow>(folder + "/" + kNodeCheckFile);
}

void add_node_checks(const std::string& folder, const std::vector<NodeCheckRow>& rows) {
  add_to_table_file(folder + "/" + kNodeCheckFile, rows);
}

}  // namespace ddpbench
