#pragma once
#include <memory>
#include <vector>

#include "harness/api/optimizer.hpp"

namespace ddpbench {

// Holds the settings of SGD, as torch.optim.SGD has them.
struct SgdOptions {
  double learning_rate = 0;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

// Makes an optimizer of torch.optim.SGD's formulas (Sutskever et al. 2013 as PyTorch writes them: v = momentum v + (1 -
// dampening) g, p = p - lr v; the first v is g). On a GPU it runs one multi-tensor operation for all parameters at a time, on a
// CPU one parameter after the other: either is the faster there, and the bits are the same. Throws UsageError for Nesterov
// without momentum or with dampening, as PyTorch does.
std::unique_ptr<Optimizer> make_sgd(const SgdOptions& options, std::vector<at::Tensor> parameters);

}  // namespace ddpbench
