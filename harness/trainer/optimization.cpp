#include "harness/trainer/optimization.hpp"

#include "harness/api/clip_gradients.hpp"

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

at::Tensor Optimization::run(const Batch& batch, std::int64_t micro) {
  at::Tensor loss;
  const std::function<void()> closure = [this, &batch, micro, &loss] { loss = this->closure(batch, micro); };
  if (micro + 1 == state_.session.options.accumulate) {
    step_with(closure);
  } else {
    closure();
  }
  return loss;
}

void Optimization::step_with(const std::function<void()>& closure) {
  auto& step = state_.progress.optimizer_step;
  ++step.ready;
  ++step.started;
  closure();
  state_.session.strategy.finish_gradients();
  state_.session.precision.unscale(state_.session.strategy);
  call_hooks(state_, &Callback::on_before_optimizer_step);
  optimizer_step();
  ++step.completed;
}

at::Tensor Optimization::closure(const Batch& batch, std::int64_t micro) {
  if (micro == 0) zero_grad();
  const SyncScope sync(state_.session.strategy, micro + 1 == state_.session.options.accumulate);
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
  const PhaseScope scope(state_.session.timer, PhaseRange::kZeroGrad);
  state_.session.strategy.zero_grad();
  ++progress.completed;
}

at::Tensor Optimization::training_step(const Batch& batch) {
  if (state_.features.loops) state_.strategy_hooks->training_step();
  auto& session = state_.session;
  const PhaseScope scope(session.timer, Phase::kForward);
  const ForwardScope forward(session.precision);
  const auto loss = session.loss(session.strategy.forward(batch.input), batch.target);
  const auto count = session.options.accumulate;
  return state_.features.loss || count > 1 ? loss / count : loss;  // by 1 too, as Lightning does
}

void Optimization::backward(const at::Tensor& loss) {
  const auto scaled = state_.session.precision.scale(loss);
  call_hooks(state_, &Callback::on_before_backward, scaled);
  if (state_.features.loops) state_.strategy_hooks->backward();
  {
    const PhaseScope scope(state_.session.timer, Phase::kBackward);
    state_.session.strategy.backward(scaled);
  }
  call_hooks(state_, &Callback::on_after_backward);
}

void Optimization::optimizer_step() {
  if (state_.features.loops) {
    state_.module->configure_gradient_clipping();
    state_.module->optimizer_step();
  }
  auto& session = state_.session;
  const PhaseScope scope(session.timer, Phase::kOptimizer);
  if (session.options.clip_norm > 0) clip_gradients(session.strategy, session.options.clip_norm);
  update(session);
}

}  // namespace ddpbench
