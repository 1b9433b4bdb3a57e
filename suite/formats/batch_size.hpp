#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// "" where each rank's part of `images` (divided as DistributedSampler does, rounded up) holds a whole batch, else why not.
std::string why_batch_too_large(std::int64_t batch_size_per_rank, std::int64_t world_size, std::int64_t images);

}  // namespace ddpbench
