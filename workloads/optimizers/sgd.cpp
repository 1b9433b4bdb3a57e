#include "workloads/optimizers/sgd.hpp"

#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

class Sgd final : public Optimizer {
 public:
  Sgd(const SgdOptions& options, std::vector<at::Tensor> parameters)
      : options_(options), parameters_(std::move(parameters)), velocities_(parameters_.size()) {
    for (auto* list : {&updated_, &gradients_, &kept_}) list->reserve(parameters_.size());
  }

  void step() override {
    const torch::NoGradGuard no_grad;
    if (parameters_.empty() || parameters_.front().is_cpu()) {
      for (std::size_t i = 0; i < parameters_.size(); ++i) step_alone(i);
    } else {
      step_together();
    }
  }

  std::vector<at::Tensor> state() override {
    std::vector<at::Tensor> state;
    for (const auto& velocity : velocities_) {
      if (velocity.defined()) state.push_back(velocity);
    }
    return state;
  }

 private:
  // Parameter by parameter, as PyTorch does on a CPU: gradient and velocity are still in the cache when they are read again.
  void step_alone(std::size_t i) {
    const auto& parameter = parameters_[i];
    if (!parameter.grad().defined()) return;
    auto direction = parameter.grad();
    if (options_.weight_decay != 0) direction = direction.add(parameter, options_.weight_decay);
    if (options_.momentum != 0) direction = accelerated(i, direction);
    parameter.add_(direction, -options_.learning_rate);
  }

  at::Tensor accelerated(std::size_t i, const at::Tensor& direction) {
    auto& velocity = velocities_[i];
    if (velocity.defined()) {
      velocity.mul_(options_.momentum).add_(direction, 1 - options_.dampening);
    } else {
      velocity = direction.clone();
    }
    return options_.nesterov ? direction.add(velocity, options_.momentum) : velocity;
  }

  // All at once: a GPU has few launches then, and no cache to lose.
  void step_together() {
    collect();
    if (updated_.empty()) return;
    auto directions = gradients_;
    if (options_.weight_decay != 0) directions = at::_foreach_add(directions, updated_, options_.weight_decay);
    if (options_.momentum != 0) directions = accelerated(directions);
    at::_foreach_add_(updated_, directions, -options_.learning_rate);
  }

  // The parameters that have a gradient, with it. Reuses the lists' memory.
  void collect() {
    updated_.clear();
    gradients_.clear();
    for (const auto& parameter : parameters_) {
      if (!parameter.grad().defined()) continue;
      updated_.push_back(parameter);
      gradients_.push_back(parameter.grad());
    }
  }

  std::vector<at::Tensor> accelerated(const std::vector<at::Tensor>& directions) {
    update_velocities(directions);
    if (!options_.nesterov) return kept_;
    return at::_foreach_add(directions, kept_, options_.momentum);
  }

  // Leaves the velocities of the updated parameters in kept_.
  void update_velocities(const std::vector<at::Tensor>& directions) {
    kept_.clear();
    std::vector<at::Tensor> moved, by;
    std::size_t next = 0;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i].grad().defined()) continue;
      const auto& direction = directions[next++];
      if (!velocities_[i].defined()) {
        velocities_[i] = direction.clone();
      } else {
        moved.push_back(velocities_[i]);
        by.push_back(direction);
      }
      kept_.push_back(velocities_[i]);
    }
    if (moved.empty()) return;
    at::_foreach_mul_(moved, options_.momentum);
    at::_foreach_add_(moved, by, 1 - options_.dampening);
  }

  SgdOptions options_;
  std::vector<at::Tensor> parameters_;
  std::vector<at::Tensor> velocities_;                  // by parameter; undefined until its first gradient
  std::vector<at::Tensor> updated_, gradients_, kept_;  // of the step at hand
};

}  // namespace

std::unique_ptr<Optimizer> make_sgd(const SgdOptions& options, std::vector<at::Tensor> parameters) {
  if (options.nesterov && (options.momentum <= 0 || options.dampening != 0)) {
    throw UsageError("nesterov = true needs momentum above 0 and dampening = 0");
  }
  return std::make_unique<Sgd>(options, std::move(parameters));
}

}  // namespace ddpbench
