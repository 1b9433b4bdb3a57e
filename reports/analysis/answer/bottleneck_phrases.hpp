#pragma once
#include <string>
#include <vector>

#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Says where the time of a step goes, a sentence for each cell, from tables/step_parts.csv: "resnet18_cifar10 on 2 ranks: a step
// takes 152 ms; 67 % of it is compute, 21 % exposed communication: an ideal network would save at most 32 ms [29, 35] (measured by
// raw+ideal)." It is of the first reference; a sentence more for an arm with another bottleneck. Of many cells the first ones.
// Where there is a trace it says too what that shows (tables/traced_parts.csv): the same part or another; a sentence of its own
// where no timer timed its arm.
std::vector<std::string> bottleneck_sentences(const Findings& findings);

}  // namespace ddpbench
