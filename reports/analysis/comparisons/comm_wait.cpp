#include "reports/analysis/comparisons/comm_wait.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/comparisons/pairs.hpp"
#include "suite/estimates/over_launches.hpp"

namespace ddpbench {
namespace {

// By block, the mean over ranks; NaN where a rank has none.
std::vector<double> waits_of(const ArmSamples& arm) {
  std::vector<double> means;
  for (const auto& rank : arm.ranks) means.resize(std::max(means.size(), rank.comm_waits_s.size()), 0);
  for (const auto& rank : arm.ranks) {
    for (std::size_t block = 0; block < means.size(); ++block) {
      const bool is_there = block < rank.comm_waits_s.size();
      means[block] += is_there ? rank.comm_waits_s[block] / static_cast<double>(arm.ranks.size()) : kNotMeasured;
    }
  }
  return means;
}

std::vector<double> differences(const ArmSamples& arm, const ArmSamples& reference) {
  const auto of_arm = waits_of(arm);
  const auto of_reference = nearest_reference_values(waits_of(reference), reference, arm);
  std::vector<double> found;
  for (std::size_t i = 0; i < std::min(of_arm.size(), of_reference.size()); ++i) {
    const double difference = of_arm[i] - of_reference[i];
    if (std::isfinite(difference)) found.push_back(difference);
  }
  return found;
}

}  // namespace

Estimate added_comm_wait_s(const Cell& cell, const std::string& arm) {
  const auto& family = cell.family_of(arm);
  if (family.host_only_enqueues()) return {};
  LaunchPairs launches;
  for (const auto* launch : cell.launches_with({arm, family.reference})) {
    auto found = differences(*launch->samples.find(arm), *launch->samples.find(family.reference));
    if (found.size() >= kFewestPairs) launches.push_back(std::move(found));
  }
  return launches.empty() ? Estimate{} : location_over_launches(launches, cell.settings.confidence);
}

}  // namespace ddpbench
