#include "reports/analysis/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "suite/store/median.hpp"

namespace ddpbench {
namespace {

// A block with a step that was not measured, or took no time by this clock, has no value.
double log_of_median(const std::vector<StepTimes>& steps, std::size_t clock) {
  std::vector<double> logs;
  for (const auto& times : steps) {
    logs.push_back(std::log(times[clock]));
    if (!std::isfinite(logs.back())) return kNotMeasured;
  }
  return median(std::move(logs));
}

double log_of_mean(const std::vector<StepTimes>& steps, std::size_t clock) {
  double sum = 0;
  for (const auto& times : steps) sum += times[clock];
  return std::log(sum / static_cast<double>(steps.size()));
}

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
  if (clock == Clock::kDevice) return device_series(arm);
  BlockSeries series;
  for (const auto& steps : arm.blocks) {
    series.of_medians.push_back(steps.empty() ? kNotMeasured : log_of_median(steps, index_of(clock)));
    series.of_means.push_back(steps.empty() ? kNotMeasured : log_of_mean(steps, index_of(clock)));
  }
  return series;
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
