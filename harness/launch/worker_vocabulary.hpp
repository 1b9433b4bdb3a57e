#pragma once
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Returns the tables of this build as one vocabulary: what `--list` prints and what arms' names are parsed with.
Vocabulary worker_vocabulary();

}  // namespace ddpbench
