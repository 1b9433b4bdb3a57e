#pragma once
#include <string>
#include <vector>

#include "harness/measure/device_phases.hpp"
#include "harness/measure/end_rule.hpp"
#include "harness/measure/host_watch.hpp"
#include "harness/measure/launch_recorder.hpp"
#include "harness/measure/measurement.hpp"
#include "harness/measure/progress_line.hpp"
#include "harness/measure/timed_block.hpp"
#include "harness/probe/event_counter.hpp"

namespace ddpbench {

// Runs super-blocks: every arm once in a random order (block_order), each for one to three discarded and k timed steps. Rank 0 decides order and end, the
// others follow it (Agreement, EndRule). One per launch and rank, owned by its RankRun for the measurement.
class BlockRunner {
 public:
  // Collective. `instructions` is read at the ends of blocks.
  explicit BlockRunner(Measurement measurement, EventCounter instructions = EventCounter("none: nobody asked for it"));

  // Past allocator growth, autotuning and bucket rebuilding: warmup_steps of every arm, untimed; on a device again and again, until its
  // allocator stands still on all ranks.
  void warm_up();

  // Until the EndRule ends it. Throws Stopped where a signal came, Diverged where a loss is no finite number; super-blocks that were finished
  // before, and the one in which a training diverged, are flushed.
  void run();

  // What was counted of each block, or why nothing was (kCountedEventFact).
  const std::string& counted() const { return block_.counted(); }

 private:
  std::string decide(const std::vector<std::string>& payloads, double elapsed_s);
  void run_super_block(std::int64_t super_block, const std::vector<std::int64_t>& order);
  void run_block(const BlockPlace& place, std::size_t arm);
  void warm_up_once();
  bool memory_stood_still();
  void look_for_divergence(const BlockPlace& place, std::size_t arm, const MeasuredBlock& measured);
  void clear_after(Arm& arm);
  void run_whole_trainings(ProgressLine& progress, std::int64_t begin_ns);
  void measure_periodic_work(ProgressLine& progress, std::int64_t begin_ns);
  void measure_device_phases();
  void count_what_steps_do(ProgressLine& progress, std::int64_t begin_ns);
  void report_steps(std::size_t arm, const MeasuredBlock& measured);
  void add_metrics();

  Measurement m_;
  EndRule end_rule_;  // fed on rank 0 only
  HostWatch host_;
  LaunchRecorder recorder_;
  TimedBlock block_;
  std::int64_t super_blocks_ = 0;
  SuperBlockReport report_;           // of the last super-block, for rank 0
  std::int64_t reserved_bytes_ = -1;  // after the last round of warm-up
  DevicePhases device_phases_;
  std::string why_diverged_;  // empty: all losses were finite
};

}  // namespace ddpbench
