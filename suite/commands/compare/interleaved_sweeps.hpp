#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "suite/commands/compare/compared_sides.hpp"
#include "suite/commands/run/ready_run.hpp"
#include "suite/runs/sweep.hpp"

namespace ddpbench {

// Holds a side of a comparison, ready to be measured into `path`.
struct ReadySide {
  ComparedSide side;
  ReadyRun ready;
  std::string path;
};

// Measures all sides into their folders, launch by launch: of each launch of the plan one of every side, in an order drawn from
// the experiment's seed. With `resume` leaves alone what is stored. Returns the counts of all sides.
SweepCounts run_interleaved(const std::vector<ReadySide>& sides, bool resume, std::chrono::system_clock::time_point started);

}  // namespace ddpbench
