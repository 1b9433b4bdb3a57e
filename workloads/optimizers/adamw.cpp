#include "workloads/optimizers/adamw.hpp"

#include <cmath>
#include <utility>

namespace ddpbench {
namespace {

class Adamw final : public Optimizer {
 public:
  Adamw(const AdamwOptions& options, std::vector<at::Tensor> parameters)
      : options_(options), parameters_(std::move(parameters)), moments_(parameters_.size()) {}

  void step() override {
    const torch::NoGradGuard no_grad;
    std::vector<std::size_t> updated;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i].grad().defined()) continue;
      if (!moments_[i].step.defined()) moments_[i] = moments_of(parameters_[i]);
      updated.push_back(i);
    }
    if (updated.empty()) return;
    if (!parameters_.front().is_cpu()) return step_together(updated);
    for (const auto i : updated) step_alone(i);
  }

  // Per parameter in the order of torch.optim's names: exp_avg, exp_avg_sq, step.
  std::vector<at::Tensor> state() override {
    std::vector<at::Tensor> state;
    for (const auto& moments : moments_) {
      if (moments.step.defined()) state.insert(state.end(), {moments.mean, moments.square, moments.step});
    }
    return state;
  }

 private:
  struct Moments {
    at::Tensor mean, square;
    at::Tensor step;  // a float on the host, as PyTorch keeps it
  };
  // Factors of one step, in double precision as Python computes them.
  struct Factors {
    double denominator, step;
  };

  static Moments moments_of(const at::Tensor& parameter) {
    return {at::zeros_like(parameter), at::zeros_like(parameter), at::zeros({}, at::kFloat)};
  }

  Factors advance(Moments& moments) const {
    moments.step.add_(1);
    const auto step = static_cast<double>(moments.step.item<float>());
    return {std::pow(1 - std::pow(options_.beta2, step), 0.5), options_.learning_rate / (1 - std::pow(options_.beta1, step))};
  }

  void step_alone(std::size_t i) {
    auto& parameter = parameters_[i];
    auto& moments = moments_[i];
    const auto& gradient = parameter.grad();
    const auto factors = advance(moments);
    if (options_.weight_decay != 0) parameter.mul_(1 - options_.learning_rate * options_.weight_decay);
    moments.mean.lerp_(gradient, 1 - options_.beta1);
    moments.square.mul_(options_.beta2).addcmul_(gradient, gradient, 1 - options_.beta2);
    const auto denominator = (moments.square.sqrt() / factors.denominator).add_(options_.eps);
    parameter.addcdiv_(moments.mean, denominator, -factors.step);
  }

  void step_together(const std::vector<std::size_t>& updated) {
    std::vector<at::Tensor> parameters, gradients, means, squares;
    std::vector<at::Scalar> denominators, steps;
    for (const auto i : updated) {
      const auto factors = advance(moments_[i]);
      parameters.push_back(parameters_[i]);
      gradients.push_back(parameters_[i].grad());
      means.push_back(moments_[i].mean);
      squares.push_back(moments_[i].square);
      denominators.emplace_back(factors.denominator);
      steps.emplace_back(-factors.step);
    }
    if (options_.weight_decay != 0) at::_foreach_mul_(parameters, 1 - options_.learning_rate * options_.weight_decay);
    at::_foreach_lerp_(means, gradients, 1 - options_.beta1);
    at::_foreach_mul_(squares, options_.beta2);
    at::_foreach_addcmul_(squares, gradients, gradients, 1 - options_.beta2);
    auto roots = at::_foreach_sqrt(squares);
    at::_foreach_div_(roots, denominators);
    at::_foreach_add_(roots, options_.eps);
    at::_foreach_addcdiv_(parameters, means, roots, steps);
  }

  AdamwOptions options_;
  std::vector<at::Tensor> parameters_;
  std::vector<Moments> moments_;  // by parameter; undefined until its first gradient
};

}  // namespace

std::unique_ptr<Optimizer> make_adamw(const AdamwOptions& options, std::vector<at::Tensor> parameters) {
  return std::make_unique<Adamw>(options, std::move(parameters));
}

}  // namespace ddpbench
