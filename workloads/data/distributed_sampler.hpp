#pragma once
#include <cstdint>
#include <vector>

namespace ddpbench {

// Holds what DistributedSampler takes, with its names.
struct SamplerOptions {
  std::int64_t size = 0;  // images of the set
  std::int64_t world_size = 1;
  std::int64_t rank = 0;
  std::int64_t seed = 0;
  bool shuffle = true;
  bool drop_last = false;  // false: ranks get equally many by repeating the first images; true: by leaving out the last ones
};

// Says which images one rank sees in an epoch, and in which order: exactly those of
// torch.utils.data.distributed.DistributedSampler, whose permutation is torch.randperm's of a CPU generator (mt19937 with seed +
// epoch). Spelled out here, so that the loader builds and runs without Torch; tests/parity/test_sampler.py holds the two
// together.
class DistributedSampler {
 public:
  // Throws UsageError where the rank is not one of the world, or the set is so large (214,748,364 images) that randperm draws
  // 64-bit words.
  explicit DistributedSampler(const SamplerOptions& options);

  // Returns how many images this rank sees in one epoch; the same on all ranks.
  std::int64_t size() const { return size_; }

  // Returns size() indices, each in 0 … options.size - 1.
  std::vector<std::int64_t> indices(std::int64_t epoch) const;

 private:
  SamplerOptions options_;
  std::int64_t size_;
};

}  // namespace ddpbench
