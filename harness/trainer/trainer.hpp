#pragma once
#include <memory>

#include "harness/trainer/data_fetcher.hpp"
#include "harness/trainer/optimization.hpp"

namespace ddpbench {

// Loops over the steps of one epoch. All its state is in members, so that it can be left and taken up at any step.
class EpochLoop {
 public:
  explicit EpochLoop(TrainerState& state);
  at::Tensor advance();  // runs one optimizer step of `accumulate` batches; returns the last one's loss, unread
  bool done() const { return batch_index_ >= batches_per_epoch_; }
  void reset() { batch_index_ = 0; }
  std::int64_t batch_index() const { return batch_index_; }

 private:
  at::Tensor run_batch(std::int64_t micro);
  Batch fetch();
  Batch to_device(Batch batch);

  TrainerState& state_;
  DataFetcher fetcher_;
  Optimization optimization_;
  std::int64_t batches_per_epoch_;
  std::int64_t batch_index_ = 0;
};

// Is the Lightning-like wrapper: a resumable loop. fit() is `while (!done()) advance()`, and the block runner calls the same
// advance(), so that what is measured is what trains.
class Trainer {
 public:
  Trainer(Session& session, TrainerFeatures features, std::int64_t max_epochs);

  void add_callback(std::unique_ptr<Callback> callback) { state_.callbacks.push_back(std::move(callback)); }
  void set_module_hooks(std::unique_ptr<ModuleHooks> hooks) { state_.module = std::move(hooks); }
  void set_strategy_hooks(std::unique_ptr<StrategyHooks> hooks) { state_.strategy_hooks = std::move(hooks); }

  // Runs exactly one optimizer step, with the epoch's head or tail when it is due. Returns the loss, unread.
  at::Tensor advance();
  bool done() const { return epoch_ >= max_epochs_; }
  void fit();

  std::int64_t epoch() const { return epoch_; }
  const LoopProgress& progress() const { return state_.progress; }

 private:
  void begin_epoch();
  void end_epoch();

  TrainerState state_;
  EpochLoop epoch_loop_;
  std::int64_t max_epochs_;
  std::int64_t epoch_ = 0;
  bool epoch_is_open_ = false;
};

}  // namespace ddpbench
