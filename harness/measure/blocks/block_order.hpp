#pragma once
#include <cstdint>
#include <vector>

#include "suite/contract/vocabulary/arm_facts.hpp"

namespace ddpbench {

// Returns the order of the arms in super-block `super_block` (from 1), as places in `arms`; a pure function of its arguments on
// every platform (splitmix64, Steele et al. 2014, driving Fisher–Yates), so that ranks agree and a run can be replayed. The order
// is a uniform permutation; where more than four arms are compared with a reference, these are so shuffled, cut into groups of at
// most four that differ by one at most, and the reference stands at a uniformly drawn place of each (blocks_in_super_block). Arms
// of another family stand among them where the permutation put them.
std::vector<std::int64_t> block_order(const std::vector<ArmFacts>& arms, std::int64_t seed, std::int64_t super_block);

}  // namespace ddpbench
