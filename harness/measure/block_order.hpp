#pragma once
#include <cstdint>
#include <vector>

namespace ddpbench {

// The order of the arms in super-block `super_block` (from 1): a permutation of 0 … arms−1, uniform, a pure function of its arguments
// on every platform (splitmix64, Steele et al. 2014, driving Fisher–Yates), so that ranks agree and a run can be replayed.
std::vector<std::int64_t> block_order(std::int64_t arms, std::int64_t seed, std::int64_t super_block);

}  // namespace ddpbench
