#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

// Holds one part of an arm's step in a cell, by the traces of its ranks. Parts are named as by the timers (step_parts.hpp), but
// here compute is the time in operations or kernels, and host what the host does between them, wherever in the step. They add up
// to the step, which recording has made longer.
struct TracedPartRow {
  std::string cell_id, arm, part;
  double ms = kNotMeasured, share = kNotMeasured;                // mean over ranks; of the step, from 0 to 1
  double least_share = kNotMeasured, most_share = kNotMeasured;  // of one rank's own step
  double step_ms = kNotMeasured;
  bool is_bottleneck = false;  // compute where it is more than kMostlyCompute; else the largest other one
  std::string slowest_rank;    // of waiting for a slower rank: the one that waits for less than half of the mean
  bool tells_waits = false;    // exposed communication is without waiting for a slower rank; false: of all ranks nobody knows
  bool has_device = false;     // host is time in which the device is idle
  std::int64_t ranks = 0, steps = 0;  // that recorded; of each
};

// Makes the rows of every arm whose trace was stored with its parts.
template <>
std::vector<TracedPartRow> make_finding(const Findings& findings);

}  // namespace ddpbench
