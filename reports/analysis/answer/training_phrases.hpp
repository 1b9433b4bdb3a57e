#pragma once
#include <string>
#include <vector>

#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Says what whole trainings cost, from tables/whole_trainings.csv, a sentence for each arm: "Whole trainings on
// convnet_cifar10, 2 ranks, 3 epochs, 5 launches: an epoch takes 12.1 s by py_raw." "With py_lightning an epoch differs by +210 ms
// [+150, +270]: steps +120 ms [+80, +160], checkpoint +60 ms [+50, +70]; once in a training: head +900 ms [+800, +1000]." Only parts
// that surely differ are named, calls in them, and what surely grows with the epochs.
std::vector<std::string> whole_training_sentences(const Findings& findings);

}  // namespace ddpbench
