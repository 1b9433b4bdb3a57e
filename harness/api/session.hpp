#pragma once
#include "harness/api/precision.hpp"
#include "harness/probe/probe.hpp"

namespace ddpbench {

// All that an arm may touch. One per launch, owned by worker_main: the same objects stand under every arm.
struct Session {
  Strategy& strategy;
  Precision& precision;
  const Loss& loss;
  BatchCursor& batches;
  Probe& probe;
  at::Device device = at::kCPU;
};

}  // namespace ddpbench
