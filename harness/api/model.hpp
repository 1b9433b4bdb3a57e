#pragma once
#include "harness/api/torch.hpp"

namespace ddpbench {

// Maps a batch's input to its output, such as images [N, 3, 32, 32] to logits [N, classes].
class Model : public torch::nn::Module {
 public:
  virtual at::Tensor forward(at::Tensor input) = 0;
};

}  // namespace ddpbench
