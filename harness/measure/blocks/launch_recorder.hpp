#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/measure/blocks/measurement.hpp"
#include "harness/measure/collector_table.hpp"
#include "harness/measure/process/host_watch.hpp"
#include "harness/probe/event_counter.hpp"

namespace ddpbench {

// Holds all clocks at one boundary of a block: what an arm without timers has instead of its steps' times.
struct BlockBoundary {
  std::int64_t wall_ns = 0, thread_cpu_ns = 0, process_cpu_ns = 0;
  EventReading instructions;
};

// Holds what one block of an arm was on this rank. Kept from block to block, so that none allocates.
struct MeasuredBlock {
  std::int64_t discarded = 1;          // so many of its steps come first; of none the loss is NaN
  std::vector<StepTimes> steps;        // all; empty where the arm has no timers
  bool has_delays = false;             // run delays are among their times
  std::vector<std::size_t> log_marks;  // where each of its steps ends in the log of collectives
  BlockBoundary begin, end;            // of its timed steps
  double device_s = std::nan("");      // of its timed steps; NaN without a device
  float discarded_loss = 0, last_loss = 0;
};

// Says where a block stands: its super-block, from 1, and its place in it, from 0.
struct BlockPlace {
  std::int64_t super_block, position;
};

// Makes the rows of one launch and rank from its blocks, and asks the collectors for its metrics. Owned by the BlockRunner.
class LaunchRecorder {
 public:
  explicit LaunchRecorder(const Measurement& measurement);

  // Tell the collectors that a block's timed steps begin or have ended; called outside of them. Here and below `arm` is its place
  // in the launch's list.
  void before_timed_steps(std::size_t arm);
  void after_timed_steps(std::size_t arm);

  // Adds the rows of a block whose collectives the log still holds.
  void add_block(const BlockPlace& place, std::size_t arm, const MeasuredBlock& block, const HostUse& use);

  // Discards this super-block's steps: one without an update is less work, so no arm can be compared.
  void leave_out_super_block() { left_out_ = true; }

  // Hands the super-block's rows to the writer: only now is known whether its steps count, and what the ranks together awaited:
  // by block and step, nanoseconds; without steps: not known.
  void end_super_block(const std::vector<std::vector<double>>& awaited_ns);

  // Adds a row of metrics.csv; `arm`: "" where it is the rank's. Adds nothing where the value was not measured.
  void add_metric(const std::string& arm, const Metric& metric, double value);
  void add_named_metric(const std::string& arm, const Metric& metric, const std::string& work, double value);

  // Adds what the collectors found out, and the arms about themselves.
  void add_metrics();

 private:
  void add_step_row(const BlockPlace& place, std::size_t arm, const MeasuredBlock& block, std::size_t step);
  void add_block_row(const BlockPlace& place, const NamedArm& arm, const MeasuredBlock& block, const HostUse& use);
  void add_comm_waits(std::size_t arm);
  void add_metric_row(const std::string& arm, std::string name, double value, std::string_view unit);
  std::string instrumentation(const BlockConditions& conditions) const;

  Measurement m_;
  std::vector<std::unique_ptr<Collector>> collectors_;  // one per line of collected_metrics()
  struct CommWaits {                                    // over the timed steps of an arm, by phase
    std::array<std::int64_t, kPhaseCount> sums_ns{};
    std::int64_t steps = 0;
    void add(const std::array<std::int64_t, kPhaseCount>& of_step_ns);
  };
  std::vector<CommWaits> comm_waits_;  // by arm
  std::int64_t block_ = 0;
  struct RecordedStep {
    StepRow row;
    std::size_t arm;
    std::array<std::int64_t, kPhaseCount> waits_ns;
  };
  std::vector<RecordedStep> steps_;  // of the super-block at hand
  std::vector<BlockRow> block_rows_;
  bool left_out_ = false;
};

}  // namespace ddpbench
