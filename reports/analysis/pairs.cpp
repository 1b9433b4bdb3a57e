#include "reports/analysis/pairs.hpp"

#include <algorithm>
#include <cmath>

namespace ddpbench {
namespace {

// Two events a block: its steps cannot be told apart, so that median and mean are one.
BlockSeries device_series(const ArmSamples& arm) {
  BlockSeries series;
  for (std::size_t i = 0; i < arm.device_s.size(); ++i) {
    const auto steps = i < arm.blocks.size() ? arm.blocks[i].size() : 0;
    series.of_medians.push_back(steps == 0 ? kNotMeasured : std::log(arm.device_s[i] / static_cast<double>(steps)));
  }
  series.of_means = series.of_medians;
  return series;
}

template <class Difference>
std::vector<double> paired(const std::vector<double>& arm, const std::vector<double>& reference, Difference difference) {
  std::vector<double> found;
  for (std::size_t i = 0; i < std::min(arm.size(), reference.size()); ++i) {
    const double d = difference(arm[i], reference[i]);
    if (std::isfinite(d)) found.push_back(d);
  }
  return found;
}

double of_logs(double arm, double reference) { return arm - reference; }
double in_seconds(double arm, double reference) { return std::exp(arm) - std::exp(reference); }

}  // namespace

BlockSeries block_series(const ArmSamples& arm, Clock clock) {
  return clock == Clock::kDevice ? device_series(arm) : arm.series[index_of(clock)];
}

PairSeries pair_series(const LaunchSamples& launch, const std::string& arm, const std::string& reference, Clock clock) {
  const auto* of_arm = launch.find(arm);
  const auto* of_reference = launch.find(reference);
  if (of_arm == nullptr || of_reference == nullptr) return {};
  const auto a = block_series(*of_arm, clock);
  const auto b = block_series(*of_reference, clock);
  return {paired(a.of_medians, b.of_medians, of_logs), paired(a.of_medians, b.of_medians, in_seconds),
          paired(a.of_means, b.of_means, in_seconds)};
}

}  // namespace ddpbench
