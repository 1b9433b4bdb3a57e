#pragma once
#include "harness/api/strategy.hpp"

namespace ddpbench {

// Scales the gradients of all owners by min(1, max_norm / (norm + 1e-6)), as torch.nn.utils.clip_grad_norm_ does (2-norm,
// foreach). Collective where the gradients are sharded. Reads nothing on the host.
inline void clip_gradients(Strategy& strategy, double max_norm) {
  constexpr double kEpsilon = 1e-6;
  auto gradients = strategy.gradients();
  if (gradients.empty()) return;
  const torch::NoGradGuard no_grad;
  auto square = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients))).square();
  strategy.combine(square, Combine::kSum);
  // Python's `max_norm / tensor` is this product, whose last bit a division would not have.
  const auto factor = ((square.sqrt() + kEpsilon).reciprocal() * max_norm).clamp_max(1.0);
  at::_foreach_mul_(gradients, factor);
}

}  // namespace ddpbench
