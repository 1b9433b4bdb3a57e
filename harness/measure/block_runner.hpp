#pragma once
#include <string>
#include <vector>

#include "harness/api/agreement.hpp"
#include "harness/measure/equal_work.hpp"
#include "harness/measure/host_state.hpp"
#include "harness/measure/part_writer.hpp"
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
// others follow it (Agreement). One per launch and rank.
class BlockRunner {
 public:
  explicit BlockRunner(Measurement measurement);

  // Past allocator growth, autotuning and bucket rebuilding: warmup_steps of every arm, untimed; on a device again and again, until its
  // allocator stands still on all ranks.
  void warm_up();

  // Until the time cap (but at least min_super_blocks) or max_super_blocks. Throws Stopped where a signal came; super-blocks that were
  // finished before are flushed.
  void run();

 private:
  std::string next_order(std::int64_t super_block, double elapsed_s) const;
  void run_super_block(std::int64_t super_block, const std::vector<std::int64_t>& order);
  void run_block(std::int64_t super_block, std::int64_t position, std::size_t arm);
  void warm_up_once();
  bool memory_stood_still();
  void run_steps(Arm& arm);
  void measure_device_phases();
  void add_device_phases(std::size_t arm);
  void add_step_row(std::int64_t super_block, const std::string& arm, std::size_t step);
  void add_block_row(std::int64_t super_block, std::int64_t position, const std::string& arm);
  void add_host_state(const HostState& before, double own_cpu_s);
  void write_steps(bool update_left_out);
  void count_collectives(std::size_t arm);
  void add_metrics();

  Measurement m_;
  std::vector<StepTimes> steps_;        // of the block at hand
  std::vector<std::size_t> log_marks_;  // where each of them ends in the log
  float discarded_loss_ = 0;
  std::unique_ptr<DeviceClock> device_clock_;
  double device_s_ = 0;               // of the block at hand; NaN without a device
  std::int64_t reserved_bytes_ = -1;  // after the last round of warm-up
  std::vector<Phase> marked_phases_;  // of the block at hand, in measure_device_phases
  using PhaseSeconds = std::array<double, kPhaseCount>;
  std::vector<PhaseSeconds> device_phases_;  // per arm, over all steps of measure_device_phases
  std::int64_t block_ = 0;
  std::vector<BlockRow> block_rows_;  // of the super-block at hand: they get the host's state at its end
  std::vector<StepRow> step_rows_;    // likewise: whether they count is known at its end
  std::int64_t discarded_super_blocks_ = 0;
  struct Traffic {
    std::int64_t steps = 0, collectives = 0, bytes = 0;
  };
  std::vector<Traffic> traffic_;  // per arm
};

}  // namespace ddpbench
