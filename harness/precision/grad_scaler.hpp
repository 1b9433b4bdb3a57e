#pragma once
#include <vector>

#include "harness/api/strategy.hpp"

namespace ddpbench {

// Holds torch.amp.GradScaler's settings and defaults.
struct GradScalerOptions {
  double initial_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
};

// Keeps small gradients above fp16's underflow: multiplies the loss by a scale that grows after growth_interval finite steps and
// shrinks with each step that holds an infinity or NaN; all ranks alike leave such a step out. There is one per launch.
class GradScaler {
 public:
  GradScaler(const GradScalerOptions& options, at::Device device);

  at::Tensor scale(const at::Tensor& loss) const { return loss * scale_; }

  // Divides the gradients that this rank owns by the scale and agrees with the other owners whether all are finite. Collective
  // where gradients are sharded.
  void unscale(Strategy& strategy);

  // Makes the update, unless a gradient was not finite (false), and then the next scale. Reads one number on the host, as
  // GradScaler.step does.
  bool step(Strategy& strategy);

  std::vector<at::Tensor> state() { return {scale_, growth_tracker_}; }
  double scale_value() const { return scale_.item<double>(); }

 private:
  GradScalerOptions options_;
  at::Tensor scale_, growth_tracker_, found_inf_;  // [] float, [] int, [] float
};

}  // namespace ddpbench
