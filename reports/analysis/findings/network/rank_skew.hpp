#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Holds what one rank of a cell does in a step of a loop by hand beside waiting in collectives, over the mean of the ranks in the
// same block. The rank that has most lets the others wait.
struct SkewRow {
  std::string cell_id, arm;
  std::int64_t rank = 0, node_rank = 0;
  std::string node;  // its name; several where launches took different ones
  Estimate ratio;
  std::int64_t samples = 0, launches = 0;  // blocks of all launches
};

// Makes the rows of the references of cells with several ranks; means of the blocks' logarithms with Student's interval. None
// where a device computes: the host's stamps there are times of enqueuing.
std::vector<SkewRow> skew_rows(const Study& study);

// Returns a block's time per step of one rank that is no waiting in collectives, seconds; NaN: not measured.
double useful_seconds(const RankSamples& rank, std::size_t block);

// Returns the names of a launch's nodes in the order of its ranks.
std::vector<std::string> nodes_of(const Launch& launch);

}  // namespace ddpbench
