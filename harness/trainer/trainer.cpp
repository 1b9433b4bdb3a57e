#include "harness/trainer/trainer.hpp"

#include <utility>

namespace ddpbench {

EpochLoop::EpochLoop(TrainerState& state)
    : state_(state),
      fetcher_(state.session.batches),
      optimization_(state),
      batches_per_epoch_(state.session.batches.batches_per_epoch()) {}

Batch EpochLoop::fetch() {
  const PhaseScope scope(state_.session.timer, Phase::kData);
  return state_.features.fetch ? fetcher_.next() : state_.session.batches.next();
}

Batch EpochLoop::to_device(Batch batch) {
  const PhaseScope scope(state_.session.timer, Phase::kH2d);
  if (state_.features.loops) state_.strategy_hooks->batch_to_device();
  auto& hooks = *state_.module;
  if (!state_.features.fetch) return ddpbench::to_device(state_.session, batch);
  return hooks.on_after_batch_transfer(
      hooks.transfer_batch_to_device(hooks.on_before_batch_transfer(std::move(batch)), state_.session));
}

at::Tensor EpochLoop::advance() {
  at::Tensor loss;
  for (std::int64_t micro = 0; micro < state_.session.options.accumulate; ++micro) loss = run_batch(micro);
  return loss;
}

at::Tensor EpochLoop::run_batch(std::int64_t micro) {
  auto& progress = state_.progress.batch;
  const Batch batch = to_device(fetch());
  ++progress.ready;
  if (state_.features.loops) {
    for (const auto& callback : state_.callbacks) callback->on_train_batch_start(batch, batch_index_);
    state_.module->on_train_batch_start(batch, batch_index_);
    state_.strategy_hooks->on_train_batch_start();
  }
  ++progress.started;
  auto loss = optimization_.run(batch, micro);
  ++progress.processed;
  if (state_.features.loops) {
    for (const auto& callback : state_.callbacks) callback->on_train_batch_end(loss, batch, batch_index_);
    state_.module->on_train_batch_end(loss, batch, batch_index_);
  }
  ++progress.completed;
  ++batch_index_;
  return loss;
}

Trainer::Trainer(Session& session, TrainerFeatures features, std::int64_t max_epochs)
    : state_{.session = session, .features = features, .callbacks = {}, .progress = {}},
      epoch_loop_(state_),
      max_epochs_(max_epochs) {}

void Trainer::begin_epoch() {
  epoch_loop_.reset();
  for (const auto& callback : state_.callbacks) callback->on_train_epoch_start();
  state_.module->on_train_epoch_start();
  epoch_is_open_ = true;
}

void Trainer::end_epoch() {
  for (const auto& callback : state_.callbacks) callback->on_train_epoch_end();
  state_.module->on_train_epoch_end();
  epoch_is_open_ = false;
  ++epoch_;
}

at::Tensor Trainer::advance() {
  const PhaseScope scope(state_.session.timer, Phase::kWrapper);
  if (!epoch_is_open_) begin_epoch();
  auto loss = epoch_loop_.advance();
  if (epoch_loop_.done()) end_epoch();
  return loss;
}

void Trainer::fit() {
  while (!done()) advance();
}

}  // namespace ddpbench
