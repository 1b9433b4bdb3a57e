#include "harness/precision/grad_scaler.hpp"

namespace ddpbench {

GradScaler::GradScaler(const GradScalerOptions& options, at::Device device)
    : options_(options),
      scale_(torch::full({}, options.initial_scale, device)),
      growth_tracker_(torch::zeros({}, at::TensorOptions(device).dtype(at::kInt))),
      found_inf_(torch::zeros({}, device)) {}

void GradScaler::unscale(Strategy& strategy) {
  const torch::NoGradGuard no_grad;
  auto gradients = strategy.gradients();
  found_inf_.zero_();
  const auto inverse = scale_.to(at::kDouble).reciprocal().to(at::kFloat);
  if (!gradients.empty()) at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf_, inverse);
  strategy.combine(found_inf_, Combine::kMax);
}

bool GradScaler::step(Strategy& strategy) {
  const bool finite = found_inf_.item<float>() == 0;
  if (finite) strategy.optimizer_step();
  at::_amp_update_scale_(scale_, growth_tracker_, found_inf_, options_.growth_factor, options_.backoff_factor,
                         options_.growth_interval);
  return finite;
}

}  // namespace ddpbench
