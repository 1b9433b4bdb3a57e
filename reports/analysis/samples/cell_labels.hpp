#pragma once
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Gives every cell its label: the workload, and of axes and options those that are not the same in all cells of that workload. The study knows
// its common options.
void label_cells(Study& study);

}  // namespace ddpbench
