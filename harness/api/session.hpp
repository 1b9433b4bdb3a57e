#pragma once
#include "harness/api/accelerator.hpp"
#include "harness/api/network.hpp"
#include "harness/api/precision.hpp"
#include "harness/api/rank_collectives.hpp"
#include "harness/api/step_options.hpp"
#include "harness/probe/step_timer.hpp"

namespace ddpbench {

// Holds all that an arm may touch. There is one per launch, owned by its LaunchTraining: all arms use the same objects.
struct Session {
  Strategy& strategy;
  Precision& precision;
  const Loss& loss;
  BatchCursor& batches;
  StepTimer& timer;
  at::Device device = at::kCPU;
  StepOptions options{};
  std::int64_t skipped_steps = 0;          // steps without an update, because a gradient was not finite; the same on all ranks
  Accelerator* accelerator = nullptr;      // of `device`; null on the CPU
  Network* network = nullptr;              // of the strategy's process group; null where it has none
  Collectives* collectives = &one_rank();  // of the same group, never null; all ranks make the same calls
};

// Returns input and target on the session's device, without a copy where they are there already.
inline Batch to_device(const Session& session, const Batch& batch) {
  const auto input = batch.input.options().device(session.device).memory_format(session.options.memory_format);
  return {batch.input.to(input, /*non_blocking=*/true), batch.target.to(session.device, /*non_blocking=*/true)};
}

// Waits until the device has done all issued work; does nothing on the CPU.
inline void wait_for_device(const Session& session) {
  if (session.accelerator != nullptr) session.accelerator->wait();
}

// Ends a step: updates the parameters, or counts a skipped step.
inline void update(Session& session) {
  if (!session.precision.step(session.strategy)) ++session.skipped_steps;
}

}  // namespace ddpbench
