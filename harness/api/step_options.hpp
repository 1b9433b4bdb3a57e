#pragma once
#include <cstdint>

#include "harness/api/strategy.hpp"

namespace ddpbench {

// Says what every arm does alike in one optimizer step.
struct StepOptions {
  std::int64_t accumulate = 1;  // micro-batches of a step; gradients are averaged over them, ranks meet in the last
  double clip_norm = 0;         // bound of the gradients' total 2-norm; 0: no clipping
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;  // of the input
};

}  // namespace ddpbench
