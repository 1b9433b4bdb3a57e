#pragma once
#include "harness/api/clip_gradients.hpp"
#include "harness/api/session.hpp"

namespace ddpbench {

// Draws the next batch and returns it on the session's device.
inline Batch raw_batch(Session& session) {
  Batch batch;
  {
    const PhaseScope scope(session.timer, Phase::kData);
    batch = session.batches.next();
  }
  {
    const PhaseScope scope(session.timer, Phase::kH2d);
    batch = to_device(session, batch);
  }
  return batch;
}

// Runs one micro-batch of the reference by hand: forward, loss, backward. Returns the loss (divided by `accumulate`), unread.
inline at::Tensor raw_micro_batch(Session& session, const Batch& batch) {
  at::Tensor loss;
  {
    const PhaseScope scope(session.timer, Phase::kForward);
    const ForwardScope forward(session.precision);
    loss = session.loss(session.strategy.forward(batch.input), batch.target);
    if (session.options.accumulate > 1) loss = loss / session.options.accumulate;
  }
  {
    const PhaseScope scope(session.timer, Phase::kBackward);
    session.strategy.backward(session.precision.scale(loss));
  }
  return loss;
}

// Runs one optimizer step by hand on the batches that `next` gives. Returns the loss of the last micro-batch, unread.
template <class Next>
at::Tensor raw_step_on(Session& session, Next&& next) {
  at::Tensor loss;
  {
    const PhaseScope scope(session.timer, PhaseRange::kZeroGrad);
    session.strategy.zero_grad();
  }
  for (std::int64_t left = session.options.accumulate; left > 0; --left) {
    const SyncScope sync(session.strategy, left == 1);
    loss = raw_micro_batch(session, next());
  }
  session.strategy.finish_gradients();
  const PhaseScope scope(session.timer, Phase::kOptimizer);
  session.precision.unscale(session.strategy);
  if (session.options.clip_norm > 0) clip_gradients(session.strategy, session.options.clip_norm);
  update(session);
  return loss;
}

// Runs one step of the reference. The outer scope is there because the trainer has one too.
inline at::Tensor raw_step(Session& session) {
  const PhaseScope step(session.timer, Phase::kOther);
  return raw_step_on(session, [&] { return raw_batch(session); });
}

}  // namespace ddpbench
