#include "reports/analysis/verdicts/clock_tick.hpp"

#include <algorithm>
#include <cmath>

namespace ddpbench {
namespace {

constexpr std::size_t kEnough = 2000;

void add_steps(const Cell& cell, const std::string& arm, Clock clock, std::vector<double>& steps) {
  const auto most = steps.size() + kEnough;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto& ranks = launch->samples.find(arm)->ranks;
    if (ranks.empty()) continue;
    const auto& blocks = ranks.front().steps;
    for (std::size_t block = 0; block < blocks.size() && steps.size() < most; ++block) {
      for (const auto& times : blocks[block]) {
        if (std::isfinite(times[index_of(clock)])) steps.push_back(times[index_of(clock)]);
      }
    }
  }
}

struct Values {
  std::size_t different = 0;
  double least = HUGE_VAL;  // distance between two of them
};

Values values_of(std::vector<double>& steps) {
  constexpr double kRounding = 1e-9;  // relative: two times that are nearer are the same one
  std::sort(steps.begin(), steps.end());
  Values found{steps.empty() ? std::size_t{0} : 1};
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i] - steps[i - 1] <= kRounding * steps[i]) continue;
    ++found.different;
    found.least = std::min(found.least, steps[i] - steps[i - 1]);
  }
  return found;
}

}  // namespace

double tick_s(const Cell& cell, const std::vector<std::string>& arms, Clock clock) {
  constexpr std::size_t kRepeats = 4;  // as often as each value must come on average
  if (entry_of(clock).step_column == nullptr) return 0;
  std::vector<double> steps;
  Values values;
  for (const auto& arm : arms) {
    add_steps(cell, arm, clock, steps);
    values = values_of(steps);
    if (values.different > 1) break;
  }
  if (values.different == 0 || kRepeats * values.different > steps.size()) return 0;
  return values.different == 1 ? steps.front() : values.least;
}

}  // namespace ddpbench
