#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "harness/measure/blocks/device_phases.hpp"
#include "harness/measure/blocks/end_rule.hpp"
#include "harness/measure/blocks/launch_recorder.hpp"
#include "harness/measure/blocks/measurement.hpp"
#include "harness/measure/blocks/super_block_report.hpp"
#include "harness/measure/blocks/timed_block.hpp"
#include "harness/measure/process/host_watch.hpp"
#include "harness/measure/process/progress_line.hpp"
#include "harness/probe/event_counter.hpp"

namespace ddpbench {

// Identifies a rank.
struct RankIdentity {
  std::string host;
  pid_t process = 0;
};

// Runs super-blocks: every arm in a random order (block_order), each for one to three discarded and k timed steps. Rank 0 decides
// order and end, the others follow it (ControlChannel, EndRule). One per launch and rank, owned by its purpose `time` for the
// measurement.
class BlockRunner {
 public:
  // Collective. Reads `instructions` at the ends of blocks, and the log's run delays at the ends of steps and in collectives.
  explicit BlockRunner(Measurement measurement, EventCounter instructions = EventCounter("none: nobody asked for it"));

  // Runs warmup_steps of every arm, untimed, past allocator growth, autotuning and bucket rebuilding; on a device again and
  // again, until its allocator stands still on all ranks.
  void warm_up();

  // Measures until the EndRule ends it. Throws StoppedError where a signal came, DivergedError where a loss is no finite number;
  // super-blocks that were finished before, and the one in which a training diverged, are flushed.
  void run();

  // Returns what was counted of each block, or why nothing was (kCountedEventFact).
  const std::string& counted() const { return block_.counted(); }

 private:
  BlockRunner(Measurement measurement, EventCounter instructions, const std::vector<RankIdentity>& ranks);
  SuperBlockAnswer decide(const std::vector<std::string>& payloads, double elapsed_s);
  std::vector<std::vector<double>> awaited_of_blocks(const std::vector<SuperBlockReport>& reports) const;
  std::vector<std::vector<double>> steps_that_count(const std::vector<SuperBlockReport>& reports,
                                                    const std::vector<std::vector<double>>& awaited_ns) const;
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
  std::vector<std::size_t> hosts_;  // for each rank the first one of its host
  LaunchRecorder recorder_;
  TimedBlock block_;
  std::int64_t super_blocks_ = 0;
  std::vector<std::int64_t> order_;   // of the arms in the last super-block
  SuperBlockReport report_;           // of the last super-block, for rank 0
  std::int64_t reserved_bytes_ = -1;  // after the last round of warm-up
  DevicePhases device_phases_;
  std::string why_diverged_;  // empty: all losses were finite
};

}  // namespace ddpbench
