#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Compares blocks and steps, which tell of the same time by two readings of one clock: on a host a block's wall_s is the sum of
// its timed steps' step_s, but for the microseconds between two readings. One block may differ (a rank that loses its core
// between them); if the median block of an arm in a launch does by more than a tenth and 50 us, one of the two files is not what
// was measured. A device's steps are times of enqueuing: they are not compared. One per launch.
class BlocksAgainstSteps {
 public:
  // Takes all steps first, then the blocks.
  void add(const StepRow& row);
  void add(const BlockRow& row);

  // Returns a sentence for each arm that is contradicted.
  std::vector<std::string> problems(const std::string& launch_id) const;

 private:
  std::vector<std::vector<double>> sums_s_;                               // by rank and block; 0: none
  std::map<std::string, std::vector<std::pair<double, double>>> both_s_;  // by arm: seconds by blocks and by steps
};

}  // namespace ddpbench
