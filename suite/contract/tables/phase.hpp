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

// Names the ranges by which a tool's timeline shows phases: one for each phase, in their order, and one for the optimizer's part
// that stands apart from the update.
enum class PhaseRange : std::size_t { kZeroGrad = kPhaseCount };

// Counts the ranges.
inline constexpr std::size_t kPhaseRangeCount = kPhaseCount + 1;

// Names each range in its order: those of phases as the phase.
inline constexpr auto kPhaseRangeNames = [] {
  std::array<const char*, kPhaseRangeCount> names{};
  for (std::size_t i = 0; i < kPhaseCount; ++i) names[i] = kPhaseNames[i];
  names[kPhaseCount] = "zero_grad";
  return names;
}();

// Returns the range that has the phase's name.
constexpr PhaseRange range_of(Phase phase) { return static_cast<PhaseRange>(phase); }

// Returns the phase whose time a range shows.
constexpr Phase phase_of(PhaseRange range) {
  return range == PhaseRange::kZeroGrad ? Phase::kOptimizer : static_cast<Phase>(range);
}

// Returns the range's place in kPhaseRangeNames.
constexpr std::size_t index_of(PhaseRange range) { return static_cast<std::size_t>(range); }

}  // namespace ddpbench
