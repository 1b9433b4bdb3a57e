#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/measure/blocks/critical_path.hpp"
#include "harness/measure/blocks/launch_recorder.hpp"
#include "harness/measure/checks/snapshot.hpp"
#include "harness/probe/device_clock.hpp"
#include "harness/probe/event_counter.hpp"

namespace ddpbench {

// Waits, at a block's end, for all work of the arm and of its training.
void quiesce_arm(Session& session, Arm& arm);

// Tells the tool that is attached, if there is one, the names of the launch's arms and of this rank. Once per process.
void name_ranges(const Measurement& measurement);

// Runs one block of an arm: discarded steps and k timed ones, under the arm's conditions; it allocates nothing between timed
// steps. One per launch and rank, owned by the BlockRunner.
class TimedBlock {
 public:
  // Tells `recorder`, which outlives it, where timed steps begin and end. Where an arm takes the ideal network, memory for the
  // training's state is allocated here: after the first steps, with which optimizer state appears.
  TimedBlock(const Measurement& measurement, LaunchRecorder& recorder, EventCounter instructions);

  // Runs a block of `arm`, by its place in the launch's list, with `discarded` steps before the timed ones, from 0 to
  // kMostDiscardedSteps. Collective, as its steps are; throws StoppedError where a signal came. The next block overwrites what it
  // returns.
  const MeasuredBlock& run(std::size_t arm, std::int64_t discarded);

  // Finds the threads whose run delays are read; called before the first block, behind warm-up.
  void settle_delays() { m_.log.delays().keep_those_that_run(); }

  // Returns the last block's path, for the ranks together; the log still holds it. Without steps where they were not stamped.
  PathBlock path() const;

  // Returns the device's clock, for what else is timed on it between blocks.
  DeviceClock& device_clock() { return *device_clock_; }

  // Returns what is counted of each block, or why nothing is.
  const std::string& counted() const { return instructions_.words(); }

 private:
  BlockBoundary at_begin() const;
  BlockBoundary at_end() const;
  void run_steps(std::size_t arm, std::int64_t discarded);
  void begin_timed_steps(const BlockConditions& conditions);
  void rewarm_arm(Arm& arm);
  void begin_delays(const BlockConditions& conditions);
  void run_on_ideal_network(std::size_t arm, std::int64_t discarded);
  void end_step(std::size_t arm, std::int64_t step, const BlockConditions& conditions);

  Measurement m_;
  LaunchRecorder& recorder_;
  MeasuredBlock measured_;   // the block at hand …
  std::uint32_t block_ = 0;  // … which counts from 1
  EventCounter instructions_;
  std::int64_t others_delay_ns_ = 0;  // when the block began
  bool has_network_ = true;           // in the block
  std::unique_ptr<DeviceClock> device_clock_;
  std::vector<Phase> marked_phases_;              // where device events are on: not looked at
  std::map<std::string, Snapshot> before_ideal_;  // by module, of the arms that take the ideal network
};

}  // namespace ddpbench
