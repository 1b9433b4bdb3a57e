#include "reports/analysis/regression/compared_tables.hpp"

#include "reports/analysis/regression/instruction_changes.hpp"
#include "reports/analysis/regression/machine_formats.hpp"

namespace ddpbench {

std::vector<TableSchema> compared_tables() { return {comparison_table(), instruction_changes_table()}; }

}  // namespace ddpbench
