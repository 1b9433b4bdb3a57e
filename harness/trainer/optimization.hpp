#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/api/session.hpp"
#include "harness/trainer/features.hpp"
#include "harness/trainer/hooks.hpp"

namespace ddpbench {

// Counts how far something got, as Lightning does: what a checkpoint saves and a resumed run continues from.
struct Progress {
  std::int64_t ready = 0, started = 0, processed = 0, completed = 0;
};

// Holds the progress of the trainer's loops.
struct LoopProgress {
  Progress batch, optimizer_step, zero_grad;
};

// Holds what the trainer's loops share. There is one per Trainer.
struct TrainerState {
  Session& session;
  TrainerFeatures features;
  std::vector<std::unique_ptr<Callback>> callbacks;
  std::unique_ptr<ModuleHooks> module = std::make_unique<ModuleHooks>();
  std::unique_ptr<StrategyHooks> strategy_hooks = std::make_unique<StrategyHooks>();
  LoopProgress progress;
};

// Runs one optimizer step by a closure, as Lightning's automatic optimization drives it (training_step, zero_grad and backward
// inside the closure; the optimizer calls it). Calls the strategy's functions in the order of the raw loop.
class Optimization {
 public:
  explicit Optimization(TrainerState& state) : state_(state) {}

  // Runs micro-batch `micro` of a step: the last one ends with the update, those before it only add to the gradients. Returns its
  // loss, unread.
  at::Tensor run(const Batch& batch, std::int64_t micro);

 private:
  at::Tensor closure(const Batch& batch, std::int64_t micro);
  void step_with(const std::function<void()>& closure);
  void zero_grad();
  at::Tensor training_step(const Batch& batch);
  void backward(const at::Tensor& loss);
  void optimizer_step();

  TrainerState& state_;
};

}  // namespace ddpbench
