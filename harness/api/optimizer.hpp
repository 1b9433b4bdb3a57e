#pragma once
#include <memory>
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench {

// Updates the parameters that it was made with from their gradients. Each Strategy owns one; nothing else calls it.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // Makes one update; leaves a parameter without a gradient as it is.
  virtual void step() = 0;

  // Returns the tensors that it keeps, in the order of the parameters; some appear with the first step only.
  virtual std::vector<at::Tensor> state() = 0;
};

}  // namespace ddpbench
