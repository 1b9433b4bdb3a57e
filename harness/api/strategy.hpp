#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/torch.hpp"
#include "harness/api/workload.hpp"

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

enum class Combine { kSum, kMax };

// How replicas meet. One per launch, owned by its RankRun, shared by every arm. An arm calls these verbs in this order and never learns
// which strategy it drives:
//
//   zero_grad · { sync scope · forward · loss · backward } × micro-batches · finish_gradients · unscale · clip · optimizer_step
class Strategy : public Training {
 public:
  // Once, collectively: verify shapes, broadcast parameters and buffers, install hooks, build the optimizer.
  virtual void set_up(Recipe& recipe) = 0;

  virtual void zero_grad() = 0;                             // the strategy owns gradient storage
  virtual at::Tensor forward(const at::Tensor& input) = 0;  // [N, 3, 32, 32] -> logits [N, classes]
  virtual void backward(const at::Tensor& loss) = 0;
  virtual void set_gradient_sync(bool /*sync*/) {}  // use SyncScope
  virtual void finish_gradients() {}                // after it gradients() is valid
  virtual void optimizer_step() = 0;

  virtual std::vector<at::Tensor> gradients() = 0;                 // the ones this rank owns: what unscale and clip act on
  virtual void combine(at::Tensor& /*value*/, Combine /*how*/) {}  // over owners: nothing to do where every rank owns all
};

// no_sync for the micro-batches of a step but the last.
class SyncScope {
 public:
  SyncScope(Strategy& strategy, bool sync) : strategy_(strategy) { strategy_.set_gradient_sync(sync); }
  ~SyncScope() { strategy_.set_gradient_sync(true); }
  SyncScope(const SyncScope&) = delete;
  SyncScope& operator=(const SyncScope&) = delete;

 private:
  Strategy& strategy_;
};

}  // namespace ddpbench
