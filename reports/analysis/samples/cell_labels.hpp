#pragma once
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Gives every cell its label: the workload, and those axes and options that are not the same in all cells of that workload. The
// study's common options must be known.
void label_cells(Study& study);

}  // namespace ddpbench
