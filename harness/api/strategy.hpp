#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/training.hpp"
#include "harness/api/workload.hpp"

namespace ddpbench {

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
