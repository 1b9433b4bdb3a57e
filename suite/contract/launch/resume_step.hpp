#pragma once
#include <cstdint>

#include "suite/contract/vocabulary/arm_facts.hpp"

namespace ddpbench {

// Names the feature of a whole training that is made anew from its checkpoint, behind so many steps; 0: behind half of the epochs.
inline constexpr const char* kResumedFeature = "resumed";

// Returns behind how many optimizer steps of all epochs the arm is made anew; 0: it is not. `steps`: of an epoch; 0: not known
// yet, and no upper bound. Throws UsageError where nothing of the training would be before or behind it.
std::int64_t resume_step(const ArmFacts& arm, std::int64_t epochs, std::int64_t steps);

}  // namespace ddpbench
