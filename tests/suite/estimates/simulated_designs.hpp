#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ddpbench {

// How a way of comparing two arms fares on a simulated host that drifts, stalls and has a neighbour (SimulatedHost): the nulls are
// the same code twice.
struct DesignRow {
  std::string design;
  std::string words;
  std::int64_t campaigns = 0;          // each figure is of so many
  std::int64_t steps_per_arm = 0;      // timed ones
  double false_positives_percent = 0;  // of A/A campaigns whose interval does not hold 0; nominal: 5
  double rmse_percent = 0;             // of the A/A estimates, in percent of the step
  double coverage_percent = 0;         // of intervals that hold a true 0.5 %; nominal: 95
  double power_percent = 0;            // of intervals above 0 where 0.5 % is true; means nothing where false positives abound
};

// The naive designs first, this suite's last. The same on every machine, but for the last bits of its mathematical library.
std::vector<DesignRow> simulated_designs(int campaigns = 300);

}  // namespace ddpbench
