#include "harness/strategies/single.hpp"

#include "harness/strategies/strategies.hpp"

namespace ddpbench {

void Single::set_up(Recipe& recipe) {
  model_ = recipe.model;
  parameters_ = trained_parameters(*model_);
  buffers_ = model_->buffers();
  optimizer_ = recipe.make_optimizer(parameters_);
}

std::vector<at::Tensor> Single::gradients() {
  std::vector<at::Tensor> gradients;
  for (const auto& parameter : parameters_) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  return gradients;
}

std::vector<at::Tensor> Single::replicated_state() {
  auto state = parameters_;
  for (auto& tensor : optimizer_->state()) state.push_back(std::move(tensor));
  return state;
}

std::vector<at::Tensor> Single::state() {
  auto state = replicated_state();
  state.insert(state.end(), buffers_.begin(), buffers_.end());
  return state;
}

std::unique_ptr<Strategy> make_single(const StrategyRequest& /*request*/) { return std::make_unique<Single>(); }

}  // namespace ddpbench
