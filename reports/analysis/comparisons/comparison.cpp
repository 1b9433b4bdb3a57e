#include "reports/analysis/comparisons/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/estimates/over_launches.hpp"

namespace ddpbench {
namespace {

double standard_deviation(const LaunchPairs& launches) {
  double squares = 0;
  double freedom = 0;
  for (const auto& d : launches) {
    const auto mean = t_interval(d).value;
    for (const double x : d) squares += (x - mean) * (x - mean);
    freedom += static_cast<double>(d.size()) - 1;
  }
  return freedom > 0 ? std::sqrt(squares / freedom) : kNotMeasured;
}

// The host's seconds are of timed steps: each block has one more.
double affordable_pairs(const CellSettings& settings, std::span<const PairSeries> series, double timed_s) {
  const auto launches = static_cast<double>(series.size());
  double pairs = 0;
  for (const auto& launch : series) pairs += static_cast<double>(launch.log_ratios.size());
  const auto steps = static_cast<double>(settings.protocol.block_steps);
  const double measured_s = timed_s * (steps + 1) / steps;
  if (measured_s <= 0) return kNotMeasured;
  const double by_time = pairs * std::max(1.0, settings.protocol.max_seconds_per_launch * launches / measured_s);
  if (settings.protocol.max_super_blocks == 0) return by_time;
  return std::max(pairs, std::min(by_time, static_cast<double>(settings.protocol.max_super_blocks) * launches));
}

LaunchPairs each(std::span<const PairSeries> series, std::vector<double> PairSeries::*what) {
  LaunchPairs launches;
  for (const auto& launch : series) launches.push_back(launch.*what);
  return launches;
}

Comparison comparison_of(const CellSettings& settings, std::span<const PairSeries> series, double timed_s) {
  const auto log_ratios = each(series, &PairSeries::log_ratios);
  const auto seconds = each(series, &PairSeries::of_medians_s);
  Comparison comparison;
  comparison.log_ratio = location_over_launches(log_ratios, settings.confidence);
  comparison.of_medians_s = location_over_launches(seconds, settings.confidence);
  comparison.of_means_s = mean_over_launches(each(series, &PairSeries::of_means_s), settings.confidence);
  comparison.p = p_over_launches(seconds);
  comparison.launches = static_cast<std::int64_t>(series.size());
  for (const auto& d : log_ratios) comparison.pairs += static_cast<std::int64_t>(d.size());
  comparison.sigma_d = standard_deviation(log_ratios);
  comparison.affordable_pairs = affordable_pairs(settings, series, timed_s);
  return comparison;
}

}  // namespace

Comparison compare(const Cell& cell, const std::string& arm, Clock clock) {
  std::vector<PairSeries> series;
  Comparison left_out;
  double timed_s = 0;
  const auto& reference = cell.family_of(arm).reference;
  for (const auto* launch : cell.launches_with({arm, reference})) {
    auto pairs = pair_series(launch->samples, arm, reference, clock);
    if (pairs.log_ratios.size() < kFewestPairs) {
      left_out.pairs = std::max(left_out.pairs, static_cast<std::int64_t>(pairs.log_ratios.size()));
      continue;
    }
    series.push_back(std::move(pairs));
    timed_s += launch->samples.host.wall_s;
  }
  return series.empty() ? left_out : comparison_of(cell.settings, series, timed_s);
}

}  // namespace ddpbench
