#pragma once
#include <vector>

#include "harness/api/strategy.hpp"

namespace ddpbench {

// Sets the number formats of a step. Knows gradients() and combine(), never a strategy's kind. The base class is fp32 and changes
// nothing.
class Precision {
 public:
  virtual ~Precision() = default;
  virtual void begin_forward() {}  // ForwardScope calls both, around forward and loss
  virtual void end_forward() {}
  virtual at::Tensor scale(at::Tensor loss) { return loss; }  // returns the loss that backward gets, multiplied by the loss scale
  virtual void unscale(Strategy& /*strategy*/) {}             // divides the gradients by the loss scale again
  virtual bool step(Strategy& strategy) {  // returns false, on all ranks, where it was skipped: a gradient was not finite
    strategy.optimizer_step();
    return true;
  }
  virtual std::vector<at::Tensor> state() { return {}; }  // returns the tensors that a snapshot copies, in place
};

// Runs forward and loss of one micro-batch in the precision's number formats, while it lives.
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
