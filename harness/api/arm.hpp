#pragma once
#include <functional>
#include <string>
#include <vector>

#include "harness/api/session.hpp"
#include "suite/base/not_measured.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {

// Holds a number that an arm found out about itself, for metrics.csv (kMetrics.injected_true_wall). `work` takes the place of
// NAME in the metric's name (kMetrics.once).
struct ArmMetric {
  Metric metric;
  double value;
  std::string work{};
};

// Describes work that an arm does behind every n-th step only: a logger, a checkpoint's trigger. step() leaves it out, since a
// block's median never shows it; its events are timed by themselves, with a step of the arm before each.
struct PeriodicWork {
  std::string name;  // ends the names of its metrics (suite/contract/tables/named_metric.hpp)
  std::int64_t every;
  std::function<void()> run;
  bool is_in_a_step = false;  // run() is a whole step with the work in it: its time beyond the step before is the work's
};

// Says under which conditions a block of the arm runs.
struct BlockConditions {
  bool timers = true;          // clocks at the steps' boundaries and phases; those at a block's ends are always read
  bool ranges = true;          // NVTX
  bool device_events = false;  // the device's clock at every change of phase too
  bool awaited = true;         // run delays at the steps' boundaries and in collectives (harness/probe/run_delays.hpp)
  bool ideal_network = false;  // collectives take no time; the state is put back afterwards
};

// Drives the step: of the session's training, or of one of its own. There is one for each name in the launch's list of arms.
class Arm {
 public:
  virtual ~Arm() = default;

  // Runs exactly one optimizer step. Returns the loss on the device, not read by the host.
  virtual at::Tensor step() = 0;

  // Returns the arm's work of every n-th step; empty where it has none.
  virtual std::vector<PeriodicWork> periodic_work() { return {}; }

  // Returns the training that its steps drive where it is the arm's own, a replica that starts where the session's stands; else
  // nullptr.
  virtual Training* own_training() { return nullptr; }

  // Runs whole trainings of its own after the last block, to time what happens once in a training, for metrics(). Collective.
  virtual void run_whole_trainings() {}

  virtual BlockConditions conditions() const { return {}; }

  // Waits, at a block's end, until no work of this arm's own (threads, queued writes) is left to be billed to the next arm.
  virtual void quiesce() {}

  // Returns what the arm found out about itself, for metrics.csv.
  virtual std::vector<ArmMetric> metrics() const { return {}; }

  // Runs `steps` steps and returns how many calls of Python functions they made in all; kNotMeasured for an arm in C++, which
  // runs none. Collective: every rank runs them.
  virtual double interpreted_calls(std::int64_t /*steps*/) { return kNotMeasured; }
};

}  // namespace ddpbench
