#include "reports/analysis/findings/disturbances.hpp"

#include <algorithm>
#include <vector>

namespace ddpbench {
namespace {

constexpr double kThrottledPercent = 5, kBusyPercent = 20;  // of the super-blocks

// By who took most of a super-block.
double& count_of(Disturbances& found, const CoreTaking& taken) {
  const double most = std::max({taken.throttled_s, taken.steal_s, taken.foreign_s});
  if (most > 0 && taken.throttled_s == most) return found.quota;
  return most > 0 && taken.steal_s == most ? found.hypervisor : found.programs;
}

Disturbances disturbances_of(const std::vector<const Cell*>& cells) {
  Disturbances found;
  double super_blocks = 0;
  for (const auto* cell : cells) {
    for (const auto& launch : cell->launches) {
      super_blocks += static_cast<double>(launch.samples.super_blocks);
      for (const auto& [number, taken] : launch.samples.taken) ++count_of(found, taken);
    }
  }
  if (super_blocks == 0) return {};
  for (auto* count : {&found.quota, &found.hypervisor, &found.programs}) *count *= 100 / super_blocks;
  return found;
}

}  // namespace

Disturbances disturbances(const Study& study) {
  std::vector<const Cell*> cells;
  for (const auto& cell : study.cells) cells.push_back(&cell);
  return disturbances_of(cells);
}

Disturbances disturbances(const Cell& cell) { return disturbances_of({&cell}); }

bool is_throttled(const Disturbances& found) { return found.quota >= kThrottledPercent; }

bool is_busy(const Disturbances& found) { return found.hypervisor + found.programs >= kBusyPercent; }

bool tells_shares(const Study& study, const Disturbances& found) {
  return study.primary_clock != Clock::kWall || !(is_throttled(found) || is_busy(found));
}

template <>
Disturbances make_finding(const Findings& findings) {
  return disturbances(findings.study);
}

}  // namespace ddpbench
