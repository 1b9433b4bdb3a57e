#pragma once
#include <vector>

#include "harness/api/strategy.hpp"

namespace ddpbench {

// Number formats of a step. Knows gradients() and combine(), never a strategy's kind. The base class is fp32: every verb is the identity.
class Precision {
 public:
  virtual ~Precision() = default;
  virtual void begin_forward() {}  // forward and loss lie between; use ForwardScope
  virtual void end_forward() {}
  virtual at::Tensor scale(at::Tensor loss) { return loss; }
  virtual void unscale(Strategy& /*strategy*/) {}
  virtual bool step(Strategy& strategy) {  // false: skipped, a gradient was not finite. The same on all ranks
    strategy.optimizer_step();
    return true;
  }
  virtual std::vector<at::Tensor> state() { return {}; }  // what a snapshot copies of it, in place
};

// Forward and loss of one micro-batch.
class ForwardScope {
 public:
  explicit ForwardScope(Precision& precision) : precision_(precision) { precision_.begin_forward(); }
  ~ForwardScope() { precision_.end_forward(); }
  ForwardScope(const ForwardScope&) = delete;
  ForwardScope& operator=(const ForwardScope&) = delete;

 private:
  Precision& precision_;
};

}  // namespace ddpbench
