#pragma once
#include <vector>

#include "harness/api/torch.hpp"

namespace ddpbench {

// Maps a batch's input to its output, such as images [N, 3, 32, 32] to logits [N, classes].
class Model : public torch::nn::Module {
 public:
  virtual at::Tensor forward(at::Tensor input) = 0;
};

// Returns the parameters that are trained, in the model's order: not those that a launch froze.
inline std::vector<at::Tensor> trained_parameters(const Model& model) {
  std::vector<at::Tensor> trained;
  for (const auto& parameter : model.parameters()) {
    if (parameter.requires_grad()) trained.push_back(parameter);
  }
  return trained;
}

}  // namespace ddpbench
