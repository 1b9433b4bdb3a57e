#pragma once
#include <string>
#include <vector>

#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Says what whole trainings cost, from tables/whole_trainings.csv, a sentence for each arm but controls: "Whole trainings on
// convnet_cifar10, 2 ranks, 3 epochs, 5 launches: an epoch takes 12.1 s by py_raw; py_lightning adds 210 ms [150, 270] to it:
// steps +120 ms [80, 160], checkpoint +60 ms [50, 70]; once in a training +0.9 s [0.8, 1.0] (head)." Only parts that surely differ
// are named, and what surely grows with the epochs. Where an arm ended early or few launches bear no interval it says so.
std::vector<std::string> whole_training_sentences(const Findings& findings);

}  // namespace ddpbench
