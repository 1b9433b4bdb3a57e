#pragma once
#include <map>
#include <string>
#include <vector>

#include "harness/api/session.hpp"

namespace ddpbench {

// A number that an arm found out about itself, for metrics.csv (`injected_true_wall_s`).
struct ArmMetric {
  std::string name;
  double value;
  std::string unit;
};

// What a block runs under, beside the arm's own loop.
struct BlockConditions {
  bool timers = true;          // clocks at the steps' boundaries and phases; the block's own are always read
  bool ranges = true;          // NVTX
  bool device_events = false;  // the device's clock at every change of phase too
  bool ideal_network = false;  // collectives take no time; the state is put back afterwards
};

// Who drives the step. One per name in the launch's list of arms.
class Arm {
 public:
  virtual ~Arm() = default;

  // Exactly one optimizer step. Returns the loss as it stands on the device, unread.
  virtual at::Tensor step() = 0;

  virtual BlockConditions conditions() const { return {}; }

  // At a block's end: no work of this arm's own (threads, queued writes) is left to be billed to the next one.
  virtual void quiesce() {}

  virtual std::vector<ArmMetric> metrics() const { return {}; }
};

}  // namespace ddpbench
