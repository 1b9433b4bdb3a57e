#pragma once
#include "harness/api/session.hpp"

namespace ddpbench {

// The reference: one optimizer step by hand. Returns the loss, unread. The outer scope is there because the trainer has one too.
inline at::Tensor raw_step(Session& session) {
  const PhaseScope step(session.probe, Phase::kOther);
  Batch batch;
  at::Tensor loss;
  {
    const PhaseScope scope(session.probe, Phase::kData);
    batch = session.batches.next();
  }
  {
    const PhaseScope scope(session.probe, Phase::kH2d);
    batch = {batch.input.to(session.device, true), batch.target.to(session.device, true)};
  }
  {
    const PhaseScope scope(session.probe, Phase::kOptimizer);
    session.strategy.zero_grad();
  }
  const SyncScope sync(session.strategy, true);
  {
    const PhaseScope scope(session.probe, Phase::kForward);
    loss = session.loss(session.precision.forward(session.strategy, batch.input), batch.target);
  }
  {
    const PhaseScope scope(session.probe, Phase::kBackward);
    session.strategy.backward(session.precision.scale(loss));
  }
  session.strategy.finish_gradients();
  session.precision.unscale(session.strategy);
  const PhaseScope scope(session.probe, Phase::kOptimizer);
  session.precision.step(session.strategy);
  return loss;
}

}  // namespace ddpbench
