#pragma once
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Returns the launch with every option that was not given at its default: whoever starts a worker by hand need not write all of
// them. Throws one UsageError with everything that the tables of this build do not allow: names, sizes, keys of the protocol,
// options and arms.
LaunchSpec legal_launch(LaunchSpec spec, const Vocabulary& vocabulary);

}  // namespace ddpbench
