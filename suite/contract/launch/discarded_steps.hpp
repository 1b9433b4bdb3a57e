#pragma once
#include <cstdint>

#include "suite/base/random.hpp"

namespace ddpbench {

// Bounds the discarded steps, which stand before the timed ones of a block.
inline constexpr std::int64_t kMostDiscardedSteps = 3;

// Is the lowest number of a discarded step; they count up to 0.
inline constexpr std::int64_t kFirstDiscardedStep = 1 - kMostDiscardedSteps;

// Returns how many steps every block of super-block `super_block` (from 1) discards, on all ranks and for all arms: one to three,
// drawn anew for each super-block, so that no period of an arm (a logger, a collector of garbage) locks with the blocks and falls
// on discarded steps for ever. A pure function, so that a launch can be replayed.
inline std::int64_t discarded_steps(std::int64_t seed, std::int64_t super_block) {
  constexpr std::uint64_t kOtherThanOrders = 0xd1b54a32d192ed03U;
  SplitMix64 words(static_cast<std::uint64_t>(seed) * kOtherThanOrders + static_cast<std::uint64_t>(super_block));
  return 1 + static_cast<std::int64_t>(words.below(static_cast<std::uint64_t>(kMostDiscardedSteps)));
}

}  // namespace ddpbench
