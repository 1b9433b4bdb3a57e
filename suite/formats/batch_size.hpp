#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// Says why some rank's part of `images` (divided as DistributedSampler does, rounded up) holds no whole batch; "" where each
// does.
std::string why_batch_too_large(std::int64_t batch_size_per_rank, std::int64_t world_size, std::int64_t images);

}  // namespace ddpbench
