#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// A value of one arm of one launch at a super-block, from 1.
struct LaunchPoint {
  std::int64_t super_block = 0;
  double value = 0;
};

// How many bins each arm of each launch gets in a table that follows launches: 300, for more points than a plot has pixels tell nothing; in a
// large study fewer, so that the table has some 200,000 rows, but no fewer than 20.
std::size_t launch_bins(const Study& study);

// Neighbours as one point: the middle one's super-block, the median of the values. At most `most` of them.
std::vector<LaunchPoint> binned(const std::vector<LaunchPoint>& points, std::size_t most);

}  // namespace ddpbench
