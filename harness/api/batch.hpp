#pragma once
#include <cstdint>

#include "harness/api/torch.hpp"

namespace ddpbench {

// Holds N samples and what their outputs should be, in tensors as the workload says: images [N, 3, 32, 32] and labels [N], tokens
// [N, length] and the tokens that follow them [N length].
struct Batch {
  at::Tensor input;
  at::Tensor target;
};

// Gives one rank its batches in order. There is one per launch: every arm draws from it, so the sequence is the launch's, not the
// arm's.
class BatchCursor {
 public:
  virtual ~BatchCursor() = default;
  virtual Batch next() = 0;
  virtual std::int64_t position() const = 0;     // batches drawn so far
  virtual void seek(std::int64_t position) = 0;  // makes next() give the batch at this position, counted from 0
  virtual std::int64_t batches_per_epoch() const = 0;
};

}  // namespace ddpbench
