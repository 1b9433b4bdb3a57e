#include "reports/analysis/comparisons/contrast.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "suite/estimates/over_launches.hpp"

namespace ddpbench {
namespace {

std::vector<std::string> arms_of(std::span<const Term> terms) {
  std::vector<std::string> arms;
  for (const auto& term : terms) arms.push_back(term.arm);
  return arms;
}

std::vector<double> finite(const std::vector<double>& values) {
  std::vector<double> kept;
  for (const double value : values) {
    if (std::isfinite(value)) kept.push_back(value);
  }
  return kept;
}

// Log medians by super-block; of an arm that is run several times there, those beside the first other arm.
std::vector<double> logs_of(const LaunchSamples& samples, const std::string& arm, std::span<const Term> terms, Clock clock) {
  auto logs = block_series(*samples.find(arm), clock).centres();
  const auto other = std::find_if(terms.begin(), terms.end(), [&](const Term& term) { return term.arm != arm; });
  return other == terms.end() ? logs : nearest_reference_values(logs, *samples.find(arm), *samples.find(other->arm));
}

// Microseconds, one value per super-block that has every arm.
std::vector<double> sums_of(const LaunchSamples& samples, std::span<const Term> terms, Clock clock) {
  std::vector<double> sums;
  for (const auto& term : terms) {
    const auto logs = logs_of(samples, term.arm, terms, clock);
    if (&term == &terms.front()) sums.assign(logs.size(), 0.0);
    sums.resize(std::min(sums.size(), logs.size()));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += term.weight * 1e6 * std::exp(logs[i]);
  }
  return finite(sums);
}

}  // namespace

Contrast contrast(const Cell& cell, std::span<const Term> terms, Clock clock, std::optional<double> confidence) {
  Contrast found;
  LaunchPairs launches;
  for (const auto* launch : cell.launches_with(arms_of(terms))) {
    auto sums = sums_of(launch->samples, terms, clock);
    if (sums.size() < kFewestPairs) continue;
    found.pairs += static_cast<std::int64_t>(sums.size());
    launches.push_back(std::move(sums));
  }
  found.launches = static_cast<std::int64_t>(launches.size());
  if (launches.empty()) return found;
  found.us = location_over_launches(launches, confidence.value_or(cell.settings.confidence));
  return found;
}

}  // namespace ddpbench
