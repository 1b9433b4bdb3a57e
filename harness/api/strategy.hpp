#pragma once
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/api/torch.hpp"
#include "harness/api/workload.hpp"

namespace ddpbench {

// Gives snapshots and the equal-work check the state of a training: the session's (a Strategy), or an arm's own replica
// (Arm::own_training).
class Training {
 public:
  virtual ~Training() = default;

  // Gives the whole state, in this order: parameters, optimizer state, buffers, and the loss scale where an arm's own training
  // has one (the session's is its Precision's). Optimizer state appears with the first step. All trainings of one launch have the
  // same tensors, in the same order: one whose state is sharded gathers it. Collective where it is.
  virtual std::vector<at::Tensor> state() = 0;

  // Takes such a state. As it is, it copies in place into what state() gives, so that every holder of a tensor sees it; one that
  // gathers writes it back into its shards.
  virtual void take_state(std::span<const at::Tensor> kept) {
    const torch::NoGradGuard no_grad;
    const auto mine = state();
    for (std::size_t i = 0; i < mine.size(); ++i) mine[i].detach().copy_(kept[i]);
  }

  // Returns those of them that must be the same on all ranks after a step, bit for bit: all parameters and their optimizer state
  // where every rank holds a replica, what is not sharded where some is, nothing where replicas drift. Leaves out buffers: each
  // rank's BatchNorm sees its own samples, and DDP broadcasts rank 0's only in the next forward.
  virtual std::vector<at::Tensor> replicated_state() = 0;

  virtual void quiesce() {}  // waits, at a block's end, until nothing of this training is in flight
};

// Says how Strategy::combine() reduces a value.
enum class Combine { kSum, kMax };

// Defines how replicas meet. There is one per launch, owned by its LaunchTraining and shared by every arm. An arm calls these functions
// in this order and never learns which strategy it drives:
//
//   zero_grad · { sync scope · forward · loss · backward } × micro-batches · finish_gradients · unscale · clip · optimizer_step
class Strategy : public Training {
 public:
  // Verifies shapes, broadcasts parameters and buffers, installs hooks and builds the optimizer. Called once, collectively.
  virtual void set_up(Recipe& recipe) = 0;

  virtual void zero_grad() = 0;                             // the strategy owns gradient storage
  virtual at::Tensor forward(const at::Tensor& input) = 0;  // as Model's
  virtual void backward(const at::Tensor& loss) = 0;
  virtual void set_gradient_sync(bool /*sync*/) {}  // called by SyncScope
  virtual void finish_gradients() {}                // makes gradients() valid
  virtual void optimizer_step() = 0;

  virtual std::vector<at::Tensor> gradients() = 0;  // returns those that this rank owns; unscale and clip act on them
  virtual void combine(at::Tensor& /*value*/, Combine /*how*/) {}  // over owners, in place; nothing where each owns all
};

// Keeps backward from synchronising gradients while it lives, where `sync` is false: no_sync for the micro-batches of a step but
// the last.
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
