#include "workloads/data/epoch_batches.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/random.hpp"
#include "suite/formats/batch_size.hpp"

namespace ddpbench {

// The place-th word of splitmix64's sequence from `key`: its state moves by a constant, so any word can be had at once.
std::uint64_t BatchShare::random_word(std::int64_t i) const {
  const auto place = static_cast<std::uint64_t>(rank + world_size * (begin + i));
  return SplitMix64(key + place * SplitMix64::kStride).next();
}

EpochBatches::EpochBatches(const SamplerOptions& options, std::int64_t batch_size, bool keep_last)
    : sampler_(options),
      options_(options),
      batch_size_(batch_size),
      per_epoch_((sampler_.size() + (keep_last ? batch_size - 1 : 0)) / batch_size) {
  const auto why = why_batch_too_large(batch_size, options.world_size, options.size);
  if (!why.empty()) throw UsageError(why);
}

BatchShare EpochBatches::at(std::int64_t position) {
  if (const auto epoch = position / per_epoch_; epoch != epoch_) {
    const auto key =
        SplitMix64(SplitMix64(static_cast<std::uint64_t>(options_.seed)).next() + static_cast<std::uint64_t>(epoch)).next();
    auto order = std::make_shared<const std::vector<std::int64_t>>(sampler_.indices(epoch));
    drawn_ = {std::move(order), 0, 0, key, options_.rank, options_.world_size};
    epoch_ = epoch;
  }
  auto share = drawn_;
  share.begin = position % per_epoch_ * batch_size_;
  share.count = std::min(batch_size_, sampler_.size() - share.begin);
  return share;
}

}  // namespace ddpbench
