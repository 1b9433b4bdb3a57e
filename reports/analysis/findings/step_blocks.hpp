#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "reports/analysis/findings/step_parts.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Holds seconds per step of one block, by part: means over ranks that add up to the block's mean step.
using BlockParts = std::array<double, kStepParts>;

// Holds the blocks of one arm of a launch whose phases and waits all ranks have stamped.
struct StepBlocks {
  std::vector<BlockParts> parts;
  std::vector<double> run_delays_s;        // per step, of main threads; fewer than blocks where it was not read
  std::vector<std::size_t> slowest_ranks;  // which one has most to do; none on one rank
};

// Divides the blocks' steps into parts. None where a rank is missing; on one rank there is no communication and no slower rank.
StepBlocks step_blocks(const ArmSamples& arm, const Launch& launch, std::int64_t world_size);

}  // namespace ddpbench
