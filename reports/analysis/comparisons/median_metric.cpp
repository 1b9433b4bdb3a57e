#include "reports/analysis/comparisons/median_metric.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "suite/base/median.hpp"

namespace ddpbench {

double median_metric(const Cell& cell, const std::string& arm, const Metric& metric) {
  std::vector<double> values;
  for (const auto* launch : cell.launches_with({arm})) {
    for (const auto& row : launch->metrics) {
      if (row.arm == arm && row.metric == metric.name && std::isfinite(row.value)) values.push_back(row.value);
    }
  }
  return median(std::move(values));
}

}  // namespace ddpbench
