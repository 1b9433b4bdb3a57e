#pragma once
#include "harness/api/strategy.hpp"

namespace ddpbench {

// Number formats of a step. Knows gradients() and combine(), never a strategy's kind. The base class is fp32: every verb is the identity.
class Precision {
 public:
  virtual ~Precision() = default;
  virtual at::Tensor forward(Strategy& strategy, const at::Tensor& input) { return strategy.forward(input); }
  virtual at::Tensor scale(at::Tensor loss) { return loss; }
  virtual void unscale(Strategy& /*strategy*/) {}
  virtual bool step(Strategy& strategy) {  // false: skipped, a gradient was not finite
    strategy.optimizer_step();
    return true;
  }
};

}  // namespace ddpbench
