#pragma once
#include <memory>
#include <string>
#include <vector>

#include "harness/api/agreement.hpp"
#include "harness/measure/device_phases.hpp"
#include "harness/measure/end_rule.hpp"
#include "harness/measure/equal_work.hpp"
#include "harness/measure/host_watch.hpp"
#include "harness/measure/part_writer.hpp"
#include "harness/measure/snapshot.hpp"
#include "harness/probe/collective_log.hpp"
#include "harness/probe/device_clock.hpp"
#include "suite/vocab/launch_spec.hpp"

namespace ddpbench {

// What the runner drives and where its rows go. All of it outlives the runner.
struct Measurement {
  const LaunchSpec& spec;
  std::int64_t rank;
  Session& session;
  std::vector<NamedArm>& arms;
  CollectiveLog& log;
  Agreement& agreement;
  PartWriter& writer;
};

// Runs super-blocks: every arm once in a random order, each for one discarded and k timed steps. Rank 0 decides order and end, the
// others follow it (Agreement, EndRule). One per launch and rank.
class BlockRunner {
 public:
  explicit BlockRunner(Measurement measurement);  // collective

  // Past allocator growth, autotuning and bucket rebuilding: warmup_steps of every arm, untimed; on a device again and again, until its
  // allocator stands still on all ranks.
  void warm_up();

  // Until the EndRule ends it. Throws Stopped where a signal came; super-blocks that were finished before are flushed.
  void run();

 private:
  // All clocks at one boundary of a block: what an arm without timers has instead of its steps' times.
  struct BlockBoundary {
    std::int64_t wall_ns = 0, thread_cpu_ns = 0, process_cpu_ns = 0;
  };
  static BlockBoundary at_begin();
  static BlockBoundary at_end();

  std::string decide(const std::vector<std::string>& words, double elapsed_s);
  void run_super_block(std::int64_t super_block, const std::vector<std::int64_t>& order);
  void run_block(std::int64_t super_block, std::int64_t position, std::size_t arm);
  void run_ideal(Arm& arm);
  void warm_up_once();
  bool memory_stood_still();
  void run_steps(Arm& arm);
  void end_step(std::size_t step, const BlockConditions& conditions);
  void settle(Arm& arm);
  void measure_device_phases();
  void add_step_row(std::int64_t super_block, const std::string& arm, std::size_t step);
  void add_block_row(std::int64_t super_block, std::int64_t position, const NamedArm& arm);
  void add_host_use(BlockRow& row);
  void report_steps(std::size_t arm);
  std::string instrumentation(const BlockConditions& conditions) const;
  void write_super_block(bool update_left_out);
  void count_collectives(std::size_t arm);
  void add_metrics();

  Measurement m_;
  EndRule end_rule_;  // fed on rank 0 only
  HostWatch host_;
  std::int64_t super_blocks_ = 0;
  SuperBlockReport report_;             // of the last super-block, for rank 0
  std::vector<StepTimes> steps_;        // of the block at hand; empty where the arm has no timers
  std::vector<std::size_t> log_marks_;  // where each of its steps ends in the log
  BlockBoundary begin_, end_;           // of its timed steps
  float discarded_loss_ = 0;
  std::unique_ptr<DeviceClock> device_clock_;
  std::vector<Phase> marked_phases_;  // where device events are on: not looked at
  double device_s_ = 0;               // of the block at hand; NaN without a device
  std::int64_t reserved_bytes_ = -1;  // after the last round of warm-up
  std::unique_ptr<Snapshot> before_ideal_;
  DevicePhases device_phases_;
  std::int64_t block_ = 0;
  std::vector<StepRow> step_rows_;  // of the super-block at hand: whether they count is known at its end
  std::int64_t discarded_super_blocks_ = 0;
  struct Traffic {
    std::int64_t steps = 0, collectives = 0, bytes = 0;
  };
  std::vector<Traffic> traffic_;  // per arm
};

}  // namespace ddpbench
