#pragma once
#include <optional>
#include <vector>

#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/processes/outcome.hpp"

namespace ddpbench {

// Returns what the ranks of a launch said of its end, by rank; nothing: one left no word. Takes a word that cannot be read for
// that of a rank that failed.
std::vector<std::optional<Outcome>> read_outcomes(const LaunchSpec& spec);

}  // namespace ddpbench
