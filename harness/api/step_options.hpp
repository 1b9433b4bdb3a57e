#pragma once
#include <cstdint>

#include "harness/api/strategy.hpp"

namespace ddpbench {

// What every arm does alike in one optimizer step.
struct StepOptions {
  std::int64_t accumulate = 1;  // micro-batches of a step; gradients are averaged over them, ranks meet in the last
  double clip_norm = 0;         // bound of the gradients' total 2-norm; 0: no clipping
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;  // of the images
};

// torch.nn.utils.clip_grad_norm_ (2-norm, foreach) over the gradients of all owners: scales them by min(1, max_norm / (norm + 1e-6)).
// Collective where the gradients are sharded. No host read.
inline void clip_gradients(Strategy& strategy, double max_norm) {
  constexpr double kEpsilon = 1e-6;
  auto gradients = strategy.gradients();
  if (gradients.empty()) return;
  const torch::NoGradGuard no_grad;
  auto square = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients))).square();
  strategy.combine(square, Combine::kSum);
  const auto factor = (max_norm / (square.sqrt() + kEpsilon)).clamp_max(1.0);
  at::_foreach_mul_(gradients, factor);
}

}  // namespace ddpbench
