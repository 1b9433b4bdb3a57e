#pragma once
#include <functional>
#include <string>
#include <vector>

#include "harness/api/session.hpp"
#include "suite/base/not_measured.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {

// A number that an arm found out about itself, for metrics.csv (kMetrics.injected_true_wall). `work` stands where the metric's name says
// NAME (kMetrics.once).
struct ArmMetric {
  Metric metric;
  double value;
  std::string work{};
};

// Work that an arm does behind every n-th step only: a logger, a checkpoint's trigger. step() leaves it out, for a block's median never
// shows it; it is timed as events of its own, a step of the arm before each.
struct PeriodicWork {
  std::string name;  // ends the names of its metrics (suite/contract/tables/named_metric.hpp)
  std::int64_t every;
  std::function<void()> run;
  bool is_in_a_step = false;  // run() is a whole step with the work in it: what it takes beyond the step before is the work's
};

// What a block runs under, beside the arm's own loop.
struct BlockConditions {
  bool timers = true;          // clocks at the steps' boundaries and phases; the block's own are always read
  bool ranges = true;          // NVTX
  bool device_events = false;  // the device's clock at every change of phase too
  bool awaited = true;         // run delays at the steps' boundaries and in collectives (harness/probe/run_delays.hpp)
  bool ideal_network = false;  // collectives take no time; the state is put back afterwards
};

// Who drives the step: of the session's training, or of one of its own. One per name in the launch's list of arms.
class Arm {
 public:
  virtual ~Arm() = default;

  // Exactly one optimizer step. Returns the loss as it stands on the device, unread.
  virtual at::Tensor step() = 0;

  virtual std::vector<PeriodicWork> periodic_work() { return {}; }

  // The training that its steps drive, where that is not the session's: a replica of its own, which starts where the session's stands.
  virtual Training* own_training() { return nullptr; }

  // Runs whole trainings of its own after the last block, to time what happens once in a training. metrics() has the times. Collective.
  virtual void run_whole_trainings() {}

  virtual BlockConditions conditions() const { return {}; }

  // At a block's end: no work of this arm's own (threads, queued writes) is left to be billed to the next one.
  virtual void quiesce() {}

  virtual std::vector<ArmMetric> metrics() const { return {}; }

  // Runs `steps` steps and counts the Python functions that they call. Collective: every rank runs them. An arm in C++ runs none and returns
  // kNotMeasured.
  virtual double interpreted_calls(std::int64_t /*steps*/) { return kNotMeasured; }
};

}  // namespace ddpbench
