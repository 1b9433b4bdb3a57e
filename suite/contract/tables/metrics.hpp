#pragma once
#include <array>
#include <bit>
#include <span>
#include <string_view>

#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// Says what a row of metrics.csv is called, its unit, and what it says. Copies are cheap and refer to the literals of the table.
struct Metric {
  std::string_view name;
  std::string_view unit;  // "1" where it has none
  std::string_view help;
};

// Lists the metrics that code names, one line each, whose member is the handle for the program that writes the metric and for
// those that read it. Members are metrics and arrays of metrics only (all_metrics). A metric that nobody reads by its name needs
// no handle: its line stands with its collector (harness/measure/collector_table.cpp).
struct MetricTable {
  Metric seconds_to_first_step{"seconds_to_first_step", "s",
                               "from the start of `ddpbench run` to the end of the first training step, the device's part too"};
  Metric seconds_to_first_step_of_launch{"seconds_to_first_step_of_launch", "s",
                                         "the same from the moment when the driver began to start the launch's ranks"};
  Metric warmup{"warmup_s", "s", "equal-work check and warm-up, before the first block"};
  Metric rewarm_steps{"rewarm_steps", "1",
                      "steps before each block's discarded ones, in which an arm warms up again: not recorded"};
  Metric peak_memory{"peak_memory_mib", "MiB", "largest resident set of the rank, whole launch"};
  Metric discarded_super_blocks{"discarded_super_blocks", "1",
                                "super-blocks in which the gradient scaler left an update out: kept, never used"};
  Metric disturbed_super_blocks{"disturbed_super_blocks", "1",
                                "super-blocks with a disturbed block on any rank: kept, flagged, repeated"};
  Metric peak_device_memory{"peak_device_memory_mib", "MiB", "the most that the caching allocator held of the rank's device"};
  Metric node_memory{"node_memory_mib", "MiB", "what the rank's node gives to a job: its memory, or a control group's limit"};
  Metric device_memory{
      "device_memory_mib", "MiB",
      "what the caching allocator could hold of the rank's device: what is free behind the last block, and what it held"};
  // Of an arm that has processes of its own (`memory_where`).
  Metric arm_peak_memory{"arm_peak_memory_mib", "MiB", "largest resident set of a rank that trains this arm alone"};
  Metric arm_peak_tensors{"arm_peak_tensors_mib", "MiB",
                          "the most that the tensors of such a rank took of its device's memory (of the host's, without one); "
                          "beside an arm in Python the harness's own copy of the model is among them"};
  // These are read in the steps behind the first ones; the largest of a rank's is its arm_peak_tensors_mib.
  Metric arm_phase_tensors{"arm_phase_tensors_mib.NAME", "MiB",
                           "the most of these while the phase NAME was the innermost one, over the steps of such a rank; NAME "
                           "set_up: before them, the first steps included"};
  Metric arm_phase_reserved{"arm_phase_reserved_mib.NAME", "MiB",
                            "the most that the caching allocator held of the device meanwhile; not measured on the CPU"};
  // Of a launch of whole trainings (`training_where`). NAME begins with the training and the epoch, both from 1
  // (training_metric.hpp).
  Metric training_part{"training_s.NAME", "s",
                       "wall time of a part of an epoch; NAME: 1.3.validation, of the first training's third epoch. The parts of "
                       "an epoch add up to its time. 1.3.validated is no part: all from the training's beginning until that "
                       "validation is done"};
  Metric training_call{
      "training_call_s.NAME", "s",
      "of it, what a call of the user's code or of a callback takes; NAME: 1.3.boundary.Mine.on_train_epoch_end"};
  Metric training_value{"training_value.NAME", "1",
                        "NAME: 1.3.samples (of an epoch, all ranks), 1.3.loss (of the last step), 1.3.validation_loss, "
                        "1.3.validation_accuracy, 1.3.test_accuracy"};
  Metric deterministic{"deterministic", "1", "1: deterministic kernels only"};
  Metric cudnn_benchmark{"cudnn_benchmark", "1", "1: cuDNN tries its algorithms and keeps the fastest"};
  Metric tf32_matmul{"tf32_matmul", "1", "1: matrix products may use TF32 on a GPU"};
  Metric tf32_cudnn{"tf32_cudnn", "1", "1: cuDNN's convolutions may use TF32"};
  std::array<Metric, kPhaseCount> device_phases{{
      {"device_data_s", "s", "the device's time in the phase, mean of a step; measured on blocks of their own"},
      {"device_h2d_s", "s", "the same"},
      {"device_forward_s", "s", "the same"},
      {"device_backward_s", "s", "the same; exposed communication is in it"},
      {"device_optimizer_s", "s", "the same"},
      {"device_wrapper_s", "s", "the same"},
      {"device_other_s", "s", "the same"},
  }};  // in the order of the phases
  std::array<Metric, kPhaseCount> comm_waits{{
      {"comm_wait_data_s", "s", "of the phase the time blocked in collectives, mean of a step; not measured on a device"},
      {"comm_wait_h2d_s", "s", "the same"},
      {"comm_wait_forward_s", "s", "the same; DDP's broadcast of buffers is in it"},
      {"comm_wait_backward_s", "s", "the same; DDP's buckets are in it"},
      {"comm_wait_optimizer_s", "s", "the same"},
      {"comm_wait_wrapper_s", "s", "the same"},
      {"comm_wait_other_s", "s", "the same"},
  }};  // in the order of the phases
  Metric collectives_per_step{"collectives_per_step", "1", "collectives that the step issued on the measured process group"};
  Metric collective_bytes_per_step{"collective_bytes_per_step", "B", "bytes of this rank's tensors in them"};
  // Counted in steps of their own (harness/measure/blocks/step_counts.hpp).
  Metric tensor_ops{
      "tensor_ops_per_step", "1",
      "tensor operations (aten::) that a step calls on all threads, those of backward too; not what these call themselves"};
  Metric host_reads{
      "host_reads_per_step", "1",
      "values of tensors that a step reads on the host, by item() or what calls it; on a GPU each waits for the device"};
  Metric python_calls{"python_calls_per_step", "1",
                      "functions in Python that a step calls on the main thread; of arms in Python"};
  Metric heap_allocations{"heap_allocations_per_step", "1",
                          "calls of C++'s operator new on the main thread; not counted where a Python hosts the launch"};
  Metric collectives_of_kind{
      "collectives_of_kind_per_step.NAME", "1",
      "collectives of one kind. NAME: allreduce, broadcast, reduce, allgather, gather, scatter, reduce_scatter, "
      "alltoall, send, receive, barrier, coalesced"};
  Metric collective_bytes_of_kind{"collective_bytes_of_kind_per_step.NAME", "B", "bytes of this rank's tensors in them"};
  Metric periodic_every{"periodic_every.NAME", "1", "n of the work NAME that the arm does behind every n-th step only"};
  Metric periodic_wall{"periodic_wall_s.NAME", "s", "one event of that work, wall; a row each"};
  Metric periodic_thread_cpu{"periodic_thread_cpu_s.NAME", "s", "the same on the main thread's CPU clock"};
  Metric periodic_own{"periodic_own_s.NAME", "s", "the same, wall less the time for which the main thread had no core"};
  Metric periodic_device{"periodic_device_s.NAME", "s", "the same on the device's clock"};
  Metric once{
      "once_s.NAME", "s",
      "what the arm's framework does once a training or once an epoch, never in a step, wall; a row each. NAME: import, setup, "
      "head, sanity_check, first_step, epoch_boundary, validation, checkpoint, tail; compile: the first step of an arm whose "
      "network torch.compile compiles (arms of one launch share what the first one compiled); loader_start: from the start of a "
      "DataLoader's workers to its first batch"};
  Metric injected_true_wall{"injected_true_wall_s", "s", "median delay of the positive control, measured in place, wall"};
  Metric injected_true_thread_cpu{"injected_true_thread_cpu_s", "s", "the same on the main thread's CPU clock"};
  Metric injected_true_own{"injected_true_own_s", "s", "the same, wall less the time for which the main thread had no core"};
  Metric injected_true_device{"injected_true_device_s", "s", "the same of `injected+on_device`, on the device's clock"};
};

// Gives the handles: kMetrics.warmup.
inline constexpr MetricTable kMetrics;

// Returns the lines of the table, in its order.
inline std::span<const Metric> all_metrics() {
  using Lines = std::array<Metric, sizeof(MetricTable) / sizeof(Metric)>;
  static const auto lines = std::bit_cast<Lines>(kMetrics);
  return lines;
}

}  // namespace ddpbench
