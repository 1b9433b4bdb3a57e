#pragma once
#include <array>
#include <cstddef>

namespace ddpbench {

// Names the parts of a step. Every instant of a step belongs to exactly one of them, so that they add up to the step.
enum class Phase : std::size_t { kData, kH2d, kForward, kBackward, kOptimizer, kWrapper, kOther };

// Counts the phases.
inline constexpr std::size_t kPhaseCount = 7;

// Names each phase in its order, without the "_s" of its column.
inline constexpr std::array<const char*, kPhaseCount> kPhaseNames{"data",      "h2d",     "forward", "backward",
                                                                  "optimizer", "wrapper", "other"};

// Returns the phase's place in kPhaseNames.
constexpr std::size_t index_of(Phase phase) { return static_cast<std::size_t>(phase); }

}  // namespace ddpbench
