#pragma once
#include "harness/api/session.hpp"

namespace ddpbench {

// Lets a user hang code into the trainer's loop. Names and places are Lightning's; every default does nothing.
class Callback {
 public:
  virtual ~Callback() = default;
  virtual void on_train_epoch_start() {}
  virtual void on_train_epoch_end() {}
  virtual void on_train_batch_start(const Batch& /*batch*/, std::int64_t /*batch_index*/) {}
  virtual void on_train_batch_end(const at::Tensor& /*loss*/, const Batch& /*batch*/, std::int64_t /*batch_index*/) {}
  virtual void on_before_zero_grad() {}
  virtual void on_before_backward(const at::Tensor& /*loss*/) {}
  virtual void on_after_backward() {}
  virtual void on_before_optimizer_step() {}
};

// Holds the hooks of the trained module itself: those of a callback, the transfer hooks, and the three that Lightning lets a
// module override.
class ModuleHooks : public Callback {
 public:
  virtual Batch on_before_batch_transfer(Batch batch) { return batch; }
  virtual Batch transfer_batch_to_device(Batch batch, const Session& session) { return to_device(session, batch); }
  virtual Batch on_after_batch_transfer(Batch batch) { return batch; }
  virtual void configure_gradient_clipping() {}
  virtual void optimizer_step() {}
  virtual void optimizer_zero_grad() {}
};

// Holds the hooks around what the strategy does.
class StrategyHooks {
 public:
  virtual ~StrategyHooks() = default;
  virtual void batch_to_device() {}
  virtual void on_train_batch_start() {}
  virtual void training_step() {}
  virtual void backward() {}
};

}  // namespace ddpbench
