#pragma once
#include <memory>
#include <vector>

#include "harness/api/optimizer.hpp"

namespace ddpbench {

// Holds the settings of AdamW, as torch.optim.AdamW has them.
struct AdamwOptions {
  double learning_rate = 0;
  double beta1 = 0.9, beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
};

// Makes an optimizer of torch.optim.AdamW's formulas (Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization",
// algorithm 2), in the order of its operations: on a CPU parameter by parameter, on a GPU by multi-tensor operations. The bits are
// PyTorch's; torch::optim::AdamW of LibTorch rounds otherwise.
std::unique_ptr<Optimizer> make_adamw(const AdamwOptions& options, std::vector<at::Tensor> parameters);

}  // namespace ddpbench
