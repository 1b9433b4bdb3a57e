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

// What was read once a block tells no steps apart: median and mean are one.
BlockSeries series_of_means(const ArmSamples& arm, Clock clock) {
  BlockSeries series;
  for (const auto& means : arm.block_means) series.of_medians.push_back(std::log(means[index_of(clock)]));
  series.of_means = series.of_medians;
  return series;
}

BlockSeries series_of_steps(const ArmSamples& arm, Clock clock) {
  BlockSeries series;
  for (const auto& steps : arm.blocks) {
    series.of_medians.push_back(steps.empty() ? kNotMeasured : log_of_median(steps, index_of(clock)));
    series.of_means.push_back(steps.empty() ? kNotMeasured : log_of_mean(steps, index_of(clock)));
  }
  return series;
}

bool has_steps(const ArmSamples& arm, Clock clock) {
  if (entry_of(clock).step_column == nullptr) return false;
  const auto measured = [&](const StepTimes& times) { return !std::isnan(times[index_of(clock)]); };
  return std::any_of(arm.blocks.begin(), arm.blocks.end(),
                     [&](const auto& steps) { return std::any_of(steps.begin(), steps.end(), measured); });
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
  return has_steps(arm, clock) ? series_of_steps(arm, clock) : series_of_means(arm, clock);
}

PairSeries pair_series(const LaunchSamples& launch, const std::string& arm, const std::string& reference, Clock clock) {
  const auto* of_arm = launch.find(arm);
  const auto* of_reference = launch.find(reference);
  if (of_arm == nullptr || of_reference == nullptr) return {};
  const bool by_steps = has_steps(*of_arm, clock) && has_steps(*of_reference, clock);
  const auto series = by_steps ? series_of_steps : series_of_means;
  const auto a = series(*of_arm, clock);
  const auto b = series(*of_reference, clock);
  return {paired(a.of_medians, b.of_medians, of_logs), paired(a.of_medians, b.of_medians, in_seconds),
          paired(a.of_means, b.of_means, in_seconds)};
}

}  // namespace ddpbench
