#pragma once
#include <vector>

#include "suite/contract/tables/table_schema.hpp"

namespace ddpbench {

// Returns every CSV file of the folder that `ddpbench compare` makes, beside the results folders in it.
std::vector<TableSchema> compared_tables();

}  // namespace ddpbench
