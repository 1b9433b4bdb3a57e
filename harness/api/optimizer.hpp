#pragma once
#include <memory>
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench {

// Updates the parameters that it was made with from their gradients. One per strategy, which alone calls it.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // One update; a parameter without a gradient is left as it is.
  virtual void step() = 0;

  // The tensors that it keeps, in the order of the parameters; some appear with the first step only.
  virtual std::vector<at::Tensor> state() = 0;
};

}  // namespace ddpbench
