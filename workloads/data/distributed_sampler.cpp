#include "workloads/data/distributed_sampler.hpp"

#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kMostImages = std::numeric_limits<std::uint32_t>::max() / 20 - 1;  // randperm_cpu's bound for 32-bit words

void check(const SamplerOptions& options) {
  if (options.world_size < 1 || options.rank < 0 || options.rank >= options.world_size) {
    throw UsageError("sampler: rank " + std::to_string(options.rank) + " of " + std::to_string(options.world_size) +
                     " ranks, legal: 0 to world_size - 1");
  }
  if (options.size < 0 || options.size > kMostImages) {
    throw UsageError("sampler: " + std::to_string(options.size) + " images, legal: 0 to " + std::to_string(kMostImages));
  }
}

// torch.randperm(size, generator=torch.Generator().manual_seed(seed)).
std::vector<std::int64_t> permutation(std::int64_t size, std::int64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 generator(static_cast<std::uint32_t>(seed));  // at::mt19937 takes the low 32 bits too
  for (std::size_t i = 0; i + 1 < order.size(); ++i) std::swap(order[i], order[i + generator() % (order.size() - i)]);
  return order;
}

}  // namespace

DistributedSampler::DistributedSampler(const SamplerOptions& options) : options_(options) {
  check(options);
  const auto all_get = options.size / options.world_size;
  const bool even = options.size % options.world_size == 0;
  size_ = even || options.drop_last ? all_get : all_get + 1;
}

std::vector<std::int64_t> DistributedSampler::indices(std::int64_t epoch) const {
  const auto order = options_.shuffle ? permutation(options_.size, options_.seed + epoch) : std::vector<std::int64_t>();
  std::vector<std::int64_t> mine(static_cast<std::size_t>(size_));
  for (std::size_t i = 0; i < mine.size(); ++i) {
    // Past the end the order begins again: DistributedSampler's padding.
    const auto place = (options_.rank + static_cast<std::int64_t>(i) * options_.world_size) % options_.size;
    mine[i] = options_.shuffle ? order[static_cast<std::size_t>(place)] : place;
  }
  return mine;
}

}  // namespace ddpbench
