#pragma once
#include <functional>
#include <string>

#include "suite/plan/plan.hpp"

namespace ddpbench {

// Says what the text of a plan shows beside the plan.
struct PlanTextOptions {
  std::function<std::string(const PlannedLaunch&)> command;  // the exact command of one launch
  // What the cell could resolve when it was measured last on this host; "": not known.
  std::function<std::string(const PlannedLaunch&)> resolution = [](const PlannedLaunch&) { return std::string(); };
  bool all_commands = false;  // of every launch, in their order; otherwise of each cell's first one
  bool probed = true;         // false: the plan was made without a look at the machine
};

// Writes what `ddpbench plan` prints: axes, protocol and options with every default, cells, skips with reasons, launches,
// commands, expected time, and what it costs. Of many cells the first ones only, and the skips by reason. A plan of
// PlanDepth::kFirstRepetition is enough, but for all_commands.
std::string plan_text(const Plan& plan, const Experiment& experiment, const PlanTextOptions& options);

// Writes its cells alone: those that are planned, and those that are skipped, with reasons.
std::string points_text(const Plan& plan);

// Holds the measuring time of the planned launches times what they occupy, hours: cores on a CPU backend, devices on a GPU's.
struct Cost {
  double cpu_core_hours = 0;
  double gpu_hours = 0;
};

// Adds up the cost of the launches that are not skipped, each at its time cap.
Cost expected_cost(const Plan& plan);

}  // namespace ddpbench
