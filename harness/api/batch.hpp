#pragma once
#include <cstdint>
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench {

// Holds N samples and what their outputs should be, in tensors as the workload says: images [N, 3, 32, 32] and labels [N], tokens
// [N, length] and the tokens that follow them [N length].
struct Batch {
  at::Tensor input;
  at::Tensor target;
};

// Holds records of a data set, from which another loader can make the same batches: images [N, channels, height, width], uint8,
// or float where a network sees them as they are; labels [N], int64. A byte becomes (byte / 255 - mean) / deviation of its
// channel, in float; both [channels, 1, 1].
struct Records {
  at::Tensor images, labels, mean, deviation;
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

  // Returns the records, always the same tensors; undefined ones where the workload has no records, as with tokens made up.
  virtual Records records() { return {}; }
  // Returns the numbers of the records that make the batch at this position, in its order.
  virtual std::vector<std::int64_t> records_at(std::int64_t /*position*/) { return {}; }
  // Returns records that no batch holds, all of them on every rank, always the same tensors; undefined ones where there are none.
  virtual Records held_out() { return {}; }
};

}  // namespace ddpbench
