#pragma once
#include <utility>
#include <vector>

#include "harness/api/batch.hpp"
#include "workloads/data/epoch_batches.hpp"

namespace ddpbench {

// Draws batches of a rank's epochs. A batch that cannot be made leaves the position where it was.
class EpochCursor : public BatchCursor {
 public:
  explicit EpochCursor(EpochBatches epochs) : epochs_(std::move(epochs)) {}

  Batch next() final {
    auto batch = batch_at(position_);
    ++position_;
    return batch;
  }
  std::int64_t position() const final { return position_; }
  void seek(std::int64_t position) final {
    forget();
    position_ = position;
  }
  std::int64_t batches_per_epoch() const final { return epochs_.per_epoch(); }
  std::vector<std::int64_t> records_at(std::int64_t position) final {
    const auto share = epochs_.at(position);
    std::vector<std::int64_t> images;
    for (std::int64_t i = 0; i < share.count; ++i) images.push_back(share.image(i));
    return images;
  }

 protected:
  virtual Batch batch_at(std::int64_t position) = 0;  // makes a batch; positions follow each other, but for forget()
  virtual void forget() {}                            // drops what was made ahead

  EpochBatches epochs_;

 private:
  std::int64_t position_ = 0;
};

}  // namespace ddpbench
