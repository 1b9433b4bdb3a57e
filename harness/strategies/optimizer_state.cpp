#include "harness/strategies/optimizer_state.hpp"

#include "suite/vocab/errors.hpp"

namespace ddpbench {

std::vector<at::Tensor> optimizer_tensors(torch::optim::Optimizer& optimizer, const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> tensors;
  for (const auto& parameter : parameters) {
    const auto found = optimizer.state().find(parameter.unsafeGetTensorImpl());
    if (found == optimizer.state().end()) continue;
    const auto* sgd = dynamic_cast<torch::optim::SGDParamState*>(found->second.get());
    if (sgd == nullptr) throw Error("a snapshot knows the state of SGD only, not of this workload's optimizer");
    if (sgd->momentum_buffer().defined()) tensors.push_back(sgd->momentum_buffer());
  }
  return tensors;
}

}  // namespace ddpbench
