#include "reports/analysis/verdicts/clock_tick.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ddpbench {

double tick_s(const Cell& cell, const std::string& arm, Clock clock) {
  constexpr std::size_t kEnough = 2000;
  constexpr double kRounding = 1e-9;  // relative: two times that are nearer are the same one
  if (entry_of(clock).step_column == nullptr) return 0;
  std::vector<double> steps;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto& ranks = launch->samples.find(arm)->ranks;
    if (ranks.empty()) continue;
    const auto& blocks = ranks.front().steps;
    for (std::size_t block = 0; block < blocks.size() && steps.size() < kEnough; ++block) {
      for (const auto& times : blocks[block]) {
        if (std::isfinite(times[index_of(clock)])) steps.push_back(times[index_of(clock)]);
      }
    }
  }
  std::sort(steps.begin(), steps.end());
  std::size_t different = steps.empty() ? 0 : 1;
  double least = HUGE_VAL;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i] - steps[i - 1] <= kRounding * steps[i]) continue;
    ++different;
    least = std::min(least, steps[i] - steps[i - 1]);
  }
  const bool repeats = different > 1 && 4 * different <= steps.size();
  return repeats ? least : 0;
}

}  // namespace ddpbench
