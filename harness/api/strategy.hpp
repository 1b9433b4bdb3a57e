#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/workload.hpp"

namespace ddpbench {

// What every rank holds after a step; decides which equality gate applies (bit for bit only where replicas are identical).
enum class Consistency { kIdentical, kSharded, kDrifting };

enum class Combine { kSum, kMax };

// How replicas meet. One per launch, owned by worker_main, shared by every arm. An arm calls these verbs in this order and never learns
// which strategy it drives:
//
//   zero_grad · { sync scope · forward · loss · backward } × micro-batches · finish_gradients · unscale · clip · optimizer_step
class Strategy {
 public:
  virtual ~Strategy() = default;

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

  virtual void quiesce() {}  // at a block's end: nothing of this strategy is in flight
  virtual Consistency consistency() const = 0;

  // Every tensor that a snapshot copies, in place and in a fixed order: parameters, buffers, optimizer state. Optimizer state appears
  // with the first step.
  virtual std::vector<at::Tensor> state() = 0;

  // Those of them that are the same on all ranks after a step where consistency() is kIdentical. Buffers are not: each rank's BatchNorm
  // sees its own images, and DDP broadcasts rank 0's only in the next forward.
  virtual std::vector<at::Tensor> replicated_state() = 0;
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
