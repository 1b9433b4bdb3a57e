#include "reports/analysis/comparisons/waiting.hpp"

#include <map>

#include "reports/analysis/comparisons/pairs.hpp"
#include "suite/estimates/over_launches.hpp"

namespace ddpbench {
namespace {

std::vector<double> differences(const LaunchSamples& launch, const std::string& arm, const std::string& reference) {
  const auto awaited = pair_series(launch, arm, reference, Clock::kAwaited);
  const auto computing = pair_series(launch, arm, reference, Clock::kThreadCpu);
  std::map<std::int64_t, double> computing_s;  // by super-block
  for (std::size_t i = 0; i < computing.size(); ++i) computing_s[computing.super_blocks[i]] = computing.of_medians_s[i];
  std::vector<double> found;
  for (std::size_t i = 0; i < awaited.size(); ++i) {
    const auto beside = computing_s.find(awaited.super_blocks[i]);
    if (beside != computing_s.end()) found.push_back(awaited.of_medians_s[i] - beside->second);
  }
  return found;
}

}  // namespace

Estimate added_waiting_s(const Cell& cell, const std::string& arm) {
  const auto& reference = cell.family_of(arm).reference;
  LaunchPairs launches;
  for (const auto* launch : cell.launches_with({arm, reference})) {
    auto found = differences(launch->samples, arm, reference);
    if (found.size() >= kFewestPairs) launches.push_back(std::move(found));
  }
  return launches.empty() ? Estimate{} : location_over_launches(launches, cell.settings.confidence);
}

}  // namespace ddpbench
