#pragma once
#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/launch/installation.hpp"

namespace ddpbench {

// Returns the worker's names, as the build installed them, and the launchers, which are ddpbench's own. Throws CannotRun as
// read_vocabulary does.
Vocabulary installed_vocabulary(const Installation& installation);

}  // namespace ddpbench
