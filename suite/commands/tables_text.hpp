#pragma once
#include <string>
#include <vector>

#include "suite/contract/table_schema.hpp"

namespace ddpbench {

// The tables for a person: a paragraph per file, a line per column.
std::string tables_text(const std::vector<TableSchema>& tables);

}  // namespace ddpbench
