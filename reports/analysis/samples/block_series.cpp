#include "reports/analysis/samples/block_series.hpp"

#include <algorithm>
#include <cmath>

namespace ddpbench {

bool has_steps(const ArmSamples& arm, Clock clock) {
  if (entry_of(clock).step_column == nullptr) return false;
  const auto& series = arm.series[index_of(clock)].of_medians;
  return std::any_of(series.begin(), series.end(), [](double b) { return std::isfinite(b); });
}

BlockSeries block_series(const ArmSamples& arm, Clock clock) {
  return has_steps(arm, clock) ? arm.series[index_of(clock)] : series_of_means(arm, clock);
}

BlockSeries series_of_means(const ArmSamples& arm, Clock clock) {
  BlockSeries series;
  for (const auto& means : arm.block_means) series.of_medians.push_back(std::log(means[index_of(clock)]));
  series.of_means = series.of_medians;
  return series;
}

}  // namespace ddpbench
