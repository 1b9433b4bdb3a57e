#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Holds a value of one arm of one launch at a super-block, from 1.
struct LaunchPoint {
  std::int64_t super_block = 0;
  double value = 0;
};

// Returns how many bins each arm of each launch gets in a table that follows launches: 300, since more points than a plot has
// pixels tell nothing; in a large study fewer, so that the table has some 200,000 rows, but no fewer than 20.
std::size_t launch_bins(const Study& study);

// Merges neighbours into one point: the middle one's super-block, the median of the values. Returns at most `most` points.
std::vector<LaunchPoint> binned(const std::vector<LaunchPoint>& points, std::size_t most);

}  // namespace ddpbench
