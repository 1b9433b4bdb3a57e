#pragma once
#include <cstdint>

#include "harness/api/torch.hpp"

namespace ddpbench {

struct Batch {
  at::Tensor input;   // [N, 3, 32, 32] float, normalised
  at::Tensor target;  // [N] int64
};

// The batch sequence of one rank. One per launch: every arm draws from the same cursor, so the sequence is the launch's, not the arm's.
class BatchCursor {
 public:
  virtual ~BatchCursor() = default;
  virtual Batch next() = 0;
  virtual std::int64_t position() const = 0;  // batches drawn so far
  virtual void seek(std::int64_t position) = 0;
  virtual std::int64_t batches_per_epoch() const = 0;
};

}  // namespace ddpbench
