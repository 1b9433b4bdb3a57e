#pragma once
#include "harness/api/batch.hpp"

namespace ddpbench {

// Hands batches to the epoch loop and knows which one is the epoch's last. Looks no batch ahead, as Lightning does not where the
// loader has a length, so that the launch's one cursor stays where every arm expects it.
class DataFetcher {
 public:
  explicit DataFetcher(BatchCursor& cursor) : cursor_(cursor), length_(cursor.batches_per_epoch()) {}

  Batch next() {
    Batch batch = cursor_.next();
    ++fetched_;
    last_batch_ = (cursor_.position() % length_) == 0;
    return batch;
  }
  std::int64_t fetched() const { return fetched_; }
  bool is_last_batch() const { return last_batch_; }

 private:
  BatchCursor& cursor_;
  std::int64_t length_;
  std::int64_t fetched_ = 0;
  bool last_batch_ = false;
};

}  // namespace ddpbench
