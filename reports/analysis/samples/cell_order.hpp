#pragma once
#include <vector>

#include "reports/analysis/samples/settings.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Returns one row of each cell of the plan, in the order in which a reader looks for them: by the axes, each with its values as
// the experiment lists them, then by the options alike. A plan draws the order of its launches.
std::vector<PlanRow> cells_in_order(const Settings& settings, const std::vector<PlanRow>& plan);

}  // namespace ddpbench
