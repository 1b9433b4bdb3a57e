#pragma once
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench {

// The tensors that an optimizer keeps per parameter, in the order of `parameters`; empty before the first step. Throws Error for an
// optimizer whose state this build cannot name (known: SGD).
std::vector<at::Tensor> optimizer_tensors(torch::optim::Optimizer& optimizer, const std::vector<at::Tensor>& parameters);

}  // namespace ddpbench
