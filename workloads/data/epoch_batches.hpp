#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/data/distributed_sampler.hpp"

namespace ddpbench {

// Says which images one batch of a rank holds. Cheap to copy; read by any thread.
struct BatchShare {
  std::shared_ptr<const std::vector<std::int64_t>> order;  // the rank's images of the epoch
  std::int64_t begin = 0;                                  // of the batch, in `order`
  std::int64_t count = 0;
  std::uint64_t key = 0;  // of the epoch's random words
  std::int64_t rank = 0;
  std::int64_t world_size = 1;

  std::int64_t image(std::int64_t i) const { return (*order)[static_cast<std::size_t>(begin + i)]; }

  // Returns 64 random bits for the i-th image. They depend on seed, epoch and the image's place in the epoch over all ranks, and
  // on nothing that ran before: so workers and prefetching change nothing.
  std::uint64_t random_word(std::int64_t i) const;
};

// Cuts a rank's epochs into batches.
class EpochBatches {
 public:
  // keep_last: an epoch's last batch may be smaller; else it is left out. Throws UsageError where a rank's images are fewer than
  // one batch.
  EpochBatches(const SamplerOptions& options, std::int64_t batch_size, bool keep_last);

  std::int64_t per_epoch() const { return per_epoch_; }

  // Returns the batch at `position`, counted over all epochs from 0. Draws the epoch's order where it is another than that of the
  // call before.
  BatchShare at(std::int64_t position);

 private:
  DistributedSampler sampler_;
  SamplerOptions options_;
  std::int64_t batch_size_;
  std::int64_t per_epoch_;
  std::int64_t epoch_ = -1;  // whose order and key `drawn_` has
  BatchShare drawn_;
};

}  // namespace ddpbench
