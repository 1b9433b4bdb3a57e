#include "suite/formats/batch_size.hpp"

namespace ddpbench {

std::string why_batch_too_large(std::int64_t batch_size_per_rank, std::int64_t world_size, std::int64_t images) {
  const auto of_each_rank = (images + world_size - 1) / world_size;
  if (batch_size_per_rank <= of_each_rank) return "";
  return "batch_size_per_rank = " + std::to_string(batch_size_per_rank) + ": must be at most " + std::to_string(of_each_rank) +
         " (" + std::to_string(images) + " images for " + std::to_string(world_size) + (world_size == 1 ? " rank)" : " ranks)");
}

}  // namespace ddpbench
