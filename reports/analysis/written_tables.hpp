#pragma once
#include <vector>

#include "suite/contract/tables/table_schema.hpp"

namespace ddpbench {

// Returns every CSV file of a results folder: what a run writes, then what the report makes of it.
std::vector<TableSchema> written_tables();

}  // namespace ddpbench
