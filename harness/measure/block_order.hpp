#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ddpbench {

// The order of the arms in super-block `super_block` (from 1), as places in `arms`; a pure function of its arguments on every platform
// (splitmix64, Steele et al. 2014, driving Fisher–Yates), so that ranks agree and a run can be replayed. A uniform permutation; with
// more than four arms beside the reference, these are so shuffled, cut into groups of at most four that differ by one at most, and
// the reference stands at a uniformly drawn place of each (blocks_in_super_block).
std::vector<std::int64_t> block_order(const std::vector<std::string>& arms, std::int64_t seed, std::int64_t super_block);

}  // namespace ddpbench
