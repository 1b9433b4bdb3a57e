#pragma once
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench {

// The state of a training, as a snapshot and the equal-work check see it: the session's (a Strategy), or an arm's own replica (Arm::own_training).
class Training {
 public:
  virtual ~Training() = default;

  // Every tensor that a snapshot copies, in place and in this order: parameters, optimizer state, buffers, and the loss scale where an
  // arm's own training has one (the session's is its Precision's). Optimizer state appears with the first step. The trainings of one launch have the same tensors, in the same order.
  virtual std::vector<at::Tensor> state() = 0;

  // Those of them that must be the same on all ranks after a step, bit for bit: they are compared whenever there are some. All parameters
  // and their optimizer state where every rank holds a replica, what is not sharded where some is, nothing where replicas drift. Buffers
  // are not among them: each rank's BatchNorm sees its own images, and DDP broadcasts rank 0's only in the next forward.
  virtual std::vector<at::Tensor> replicated_state() = 0;

  virtual void quiesce() {}  // at a block's end: nothing of this training is in flight
};

}  // namespace ddpbench
