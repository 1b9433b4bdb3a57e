#include "harness/measure/metrics.hpp"

#include <array>

namespace ddpbench {

std::span<const MetricEntry> metrics() {
  static const std::array table{
      MetricEntry{"seconds_to_first_step", "s", "from the start of `ddpbench run` to the end of the first training step"},
      MetricEntry{"warmup_s", "s", "equal-work check and warm-up, before the first block"},
      MetricEntry{"peak_memory_mib", "MiB", "largest resident set of the rank, whole launch"},
      MetricEntry{"discarded_super_blocks", "1",
                  "super-blocks in which the gradient scaler left an update out: kept, never used"},
      MetricEntry{"disturbed_super_blocks", "1", "super-blocks with a disturbed block on any rank: kept, flagged, repeated"},
      MetricEntry{"peak_device_memory_mib", "MiB", "the most that the caching allocator held of the rank's device"},
      MetricEntry{"deterministic", "1", "1: deterministic kernels only"},
      MetricEntry{"cudnn_benchmark", "1", "1: cuDNN tries its algorithms and keeps the fastest"},
      MetricEntry{"tf32_matmul", "1", "1: matrix products may use TF32 on a GPU"},
      MetricEntry{"tf32_cudnn", "1", "1: cuDNN's convolutions may use TF32"},
      MetricEntry{"device_data_s", "s", "the device's time in the phase, mean of a step; measured on blocks of their own"},
      MetricEntry{"device_h2d_s", "s", "the same"},
      MetricEntry{"device_forward_s", "s", "the same"},
      MetricEntry{"device_backward_s", "s", "the same; exposed communication is in it"},
      MetricEntry{"device_optimizer_s", "s", "the same"},
      MetricEntry{"device_wrapper_s", "s", "the same"},
      MetricEntry{"device_other_s", "s", "the same"},
      MetricEntry{"collectives_per_step", "1", "collectives that the step issued on the measured process group"},
      MetricEntry{"collective_bytes_per_step", "B", "bytes of this rank's tensors in them"},
      MetricEntry{"periodic_every.NAME", "1", "n of the work NAME that the arm does behind every n-th step only"},
      MetricEntry{"periodic_wall_s.NAME", "s", "one event of that work, wall; a row each"},
      MetricEntry{"periodic_thread_cpu_s.NAME", "s", "the same on the main thread's CPU clock"},
      MetricEntry{"periodic_device_s.NAME", "s", "the same on the device's clock"},
      MetricEntry{"injected_true_wall_s", "s", "median delay of the positive control, measured in place, wall"},
      MetricEntry{"injected_true_thread_cpu_s", "s", "the same on the main thread's CPU clock"},
      MetricEntry{"injected_true_device_s", "s", "the same of `injected+on_device`, on the device's clock"},
  };
  return table;
}

}  // namespace ddpbench
