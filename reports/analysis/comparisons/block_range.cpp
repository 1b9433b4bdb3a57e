#include "reports/analysis/comparisons/block_range.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "reports/analysis/samples/block_series.hpp"
#include "suite/base/median.hpp"

namespace ddpbench {

double block_range_s(const Cell& cell, const std::string& arm, Clock clock) {
  std::vector<double> ranges_s;
  for (const auto* launch : cell.launches_with({arm})) {
    for (const double log_s : block_series(*launch->samples.find(arm), clock).of_ranges) {
      if (std::isfinite(log_s)) ranges_s.push_back(std::exp(log_s));
    }
  }
  return median(std::move(ranges_s));
}

}  // namespace ddpbench
