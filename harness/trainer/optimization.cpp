#include "harness/trainer/optimization.hpp"

#include <functional>

namespace ddpbench {
namespace {

// Calls `hook` on every callback and then on the module, where the rung `loops` is on.
template <class... Parameters, class... Arguments>
void call_hooks(TrainerState& state, void (Callback::*hook)(Parameters...), const Arguments&... arguments) {
  if (!state.features.loops) return;
  for (const auto& callback : state.callbacks) (callback.get()->*hook)(arguments...);
  (state.module.get()->*hook)(arguments...);
}

}  // namespace

at::Tensor Optimization::run(const Batch& batch) {
  auto& step = state_.progress.optimizer_step;
  ++step.ready;
  at::Tensor loss;
  const std::function<void()> closure = [this, &batch, &loss] { loss = this->closure(batch); };
  ++step.started;
  closure();
  state_.session.strategy.finish_gradients();
  state_.session.precision.unscale(state_.session.strategy);
  call_hooks(state_, &Callback::on_before_optimizer_step);
  optimizer_step();
  ++step.completed;
  return loss;
}

at::Tensor Optimization::closure(const Batch& batch) {
  zero_grad();
  const SyncScope sync(state_.session.strategy, true);
  const auto loss = training_step(batch);
  backward(loss);
  return state_.features.loss ? loss.detach().clone() : loss;
}

void Optimization::zero_grad() {
  auto& progress = state_.progress.zero_grad;
  ++progress.ready;
  call_hooks(state_, &Callback::on_before_zero_grad);
  ++progress.started;
  if (state_.features.loops) state_.module->optimizer_zero_grad();
  const PhaseScope scope(state_.session.probe, Phase::kOptimizer);
  state_.session.strategy.zero_grad();
  ++progress.completed;
}

at::Tensor Optimization::training_step(const Batch& batch) {
  if (state_.features.loops) state_.strategy_hooks->training_step();
  const PhaseScope scope(state_.session.probe, Phase::kForward);
  auto& session = state_.session;
  return session.loss(session.precision.forward(session.strategy, batch.input), batch.target);
}

void Optimization::backward(const at::Tensor& loss) {
  const auto divided = state_.features.loss ? loss / kAccumulate : loss;
  const auto scaled = state_.session.precision.scale(divided);
  call_hooks(state_, &Callback::on_before_backward, scaled);
  if (state_.features.loops) state_.strategy_hooks->backward();
  {
    const PhaseScope scope(state_.session.probe, Phase::kBackward);
    state_.session.strategy.backward(scaled);
  }
  call_hooks(state_, &Callback::on_after_backward);
}

void Optimization::optimizer_step() {
  if (state_.features.loops) {
    state_.module->configure_gradient_clipping();
    state_.module->optimizer_step();
  }
  const PhaseScope scope(state_.session.probe, Phase::kOptimizer);
  state_.session.precision.step(state_.session.strategy);
}

}  // namespace ddpbench
