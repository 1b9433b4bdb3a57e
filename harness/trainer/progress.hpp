#pragma once
#include <cstdint>

namespace ddpbench {

// How far something got, as Lightning counts it: what a checkpoint saves and a resumed run continues from.
struct Progress {
  std::int64_t ready = 0, started = 0, processed = 0, completed = 0;
};

struct LoopProgress {
  Progress batch, optimizer_step, zero_grad;
};

}  // namespace ddpbench
