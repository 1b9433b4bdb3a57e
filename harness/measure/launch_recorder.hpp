#pragma once
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure/device_phases.hpp"
#include "harness/measure/host_watch.hpp"
#include "harness/measure/measurement.hpp"

namespace ddpbench {

// All clocks at one boundary of a block: what an arm without timers has instead of its steps' times.
struct BlockBoundary {
  std::int64_t wall_ns = 0, thread_cpu_ns = 0, process_cpu_ns = 0;
};

// What one block of an arm was on this rank. Kept from block to block, so that none allocates.
struct MeasuredBlock {
  std::vector<StepTimes> steps;        // the discarded one first; empty where the arm has no timers
  std::vector<std::size_t> log_marks;  // where each of its steps ends in the log of collectives
  BlockBoundary begin, end;            // of its timed steps
  double device_s = std::nan("");      // of its timed steps; NaN without a device
  float discarded_loss = 0;
};

struct BlockPlace {
  std::int64_t super_block, position;
};

// Makes the rows of one launch and rank of what its blocks were, and counts what is counted over all of them.
class LaunchRecorder {
 public:
  explicit LaunchRecorder(const Measurement& measurement);

  // `arm`: by its place in the launch's list. The log of collectives still holds the block.
  void add_block(const BlockPlace& place, std::size_t arm, const MeasuredBlock& block, const HostUse& use);

  // Steps go to the writer here: only now is known whether they count. A step without an update is less work: no arm of its super-block
  // can be compared.
  void end_super_block(bool update_left_out);

  void add_metric(const std::string& arm, const std::string& metric, double value, const std::string& unit);

  // What was counted, and what the arms found out about themselves.
  void add_metrics();

 private:
  void add_step_row(const BlockPlace& place, const std::string& arm, const MeasuredBlock& block, std::size_t step);
  void add_block_row(const BlockPlace& place, const NamedArm& arm, const MeasuredBlock& block, const HostUse& use);
  void count_collectives(std::size_t arm, const MeasuredBlock& block);
  std::string instrumentation(const BlockConditions& conditions) const;

  struct Traffic {
    std::int64_t steps = 0, collectives = 0, bytes = 0;
  };

  Measurement m_;
  std::vector<Traffic> traffic_;  // per arm
  std::int64_t block_ = 0;
  std::vector<StepRow> step_rows_;  // of the super-block at hand
  std::int64_t discarded_super_blocks_ = 0;
};

}  // namespace ddpbench
