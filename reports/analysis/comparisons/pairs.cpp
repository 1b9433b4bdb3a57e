#include "reports/analysis/comparisons/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "reports/analysis/samples/block_series.hpp"

namespace ddpbench {
namespace {

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

// The value of the reference's block that is nearest to the block `number`, among those of one super-block (from `begin` on). Of two that
// are equally near, the later one in every other super-block, so that neither side of the arm is preferred. The first where no place is
// known.
double nearest(const std::vector<double>& values, const ArmSamples& reference, std::size_t begin, std::int64_t number) {
  constexpr auto kUnknown = std::numeric_limits<std::int64_t>::max() - 1;
  double found = kNotMeasured;
  auto least = kUnknown + 1;
  const bool later_of_equals = number > 0 && begin / static_cast<std::size_t>(reference.blocks_per_super_block) % 2 == 1;
  const auto end = std::min(values.size(), begin + static_cast<std::size_t>(reference.blocks_per_super_block));
  for (auto i = begin; i < end; ++i) {
    if (!std::isfinite(values[i])) continue;
    const bool is_known = number > 0 && i < reference.block_numbers.size() && reference.block_numbers[i] > 0;
    const auto distance = is_known ? std::abs(reference.block_numbers[i] - number) : kUnknown;
    if (distance > least || (distance == least && (distance == kUnknown || !later_of_equals))) continue;
    least = distance;
    found = values[i];
  }
  return found;
}

}  // namespace

std::vector<double> beside(const std::vector<double>& values, const ArmSamples& reference, const ArmSamples& arm) {
  if (reference.blocks_per_super_block == 1) return values;
  const auto per_super_block = static_cast<std::size_t>(reference.blocks_per_super_block);
  std::vector<double> found;
  for (std::size_t begin = 0; begin < values.size(); begin += per_super_block) {
    const auto super_block = found.size();
    const auto number = super_block < arm.block_numbers.size() ? arm.block_numbers[super_block] : 0;
    found.push_back(nearest(values, reference, begin, number));
  }
  return found;
}

PairSeries pair_series(const LaunchSamples& launch, const std::string& arm, const std::string& reference, Clock clock) {
  const auto* of_arm = launch.find(arm);
  const auto* of_reference = launch.find(reference);
  if (of_arm == nullptr || of_reference == nullptr) return {};
  const bool by_steps = has_steps(*of_arm, clock) && has_steps(*of_reference, clock);
  const auto a = by_steps ? of_arm->series[index_of(clock)] : series_of_means(*of_arm, clock);
  auto b = by_steps ? of_reference->series[index_of(clock)] : series_of_means(*of_reference, clock);
  b = {beside(b.of_medians, *of_reference, *of_arm), beside(b.of_means, *of_reference, *of_arm)};
  return {paired(a.of_medians, b.of_medians, of_logs), paired(a.of_medians, b.of_medians, in_seconds),
          paired(a.of_means, b.of_means, in_seconds)};
}

}  // namespace ddpbench
