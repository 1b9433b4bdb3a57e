#include "reports/analysis/comparisons/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>

#include "reports/analysis/samples/block_series.hpp"

namespace ddpbench {
namespace {

std::int64_t number_of(const ArmSamples& arm, std::size_t block) {
  return block < arm.block_numbers.size() ? arm.block_numbers[block] : 0;
}

// The reference's block that is nearest to the block `number`, among those of one super-block (from `begin` on) that have a value. Of two
// that are equally near, the later one in every other super-block, so that neither side of the arm is preferred. The first where no place
// is known.
std::optional<std::size_t> nearest(const std::vector<double>& values, const ArmSamples& reference, std::size_t begin,
                                   std::int64_t number) {
  constexpr auto kUnknown = std::numeric_limits<std::int64_t>::max() - 1;
  std::optional<std::size_t> found;
  auto least = kUnknown + 1;
  const bool later_of_equals = number > 0 && begin / static_cast<std::size_t>(reference.blocks_per_super_block) % 2 == 1;
  const auto end = std::min(values.size(), begin + static_cast<std::size_t>(reference.blocks_per_super_block));
  for (auto i = begin; i < end; ++i) {
    if (!std::isfinite(values[i])) continue;
    const bool is_known = number > 0 && number_of(reference, i) > 0;
    const auto distance = is_known ? std::abs(number_of(reference, i) - number) : kUnknown;
    if (distance > least || (distance == least && (distance == kUnknown || !later_of_equals))) continue;
    least = distance;
    found = i;
  }
  return found;
}

// For every super-block, the place of the reference's block beside the arm's.
std::vector<std::optional<std::size_t>> places_beside(const std::vector<double>& values, const ArmSamples& reference,
                                                      const ArmSamples& arm) {
  const auto per_super_block = static_cast<std::size_t>(reference.blocks_per_super_block);
  std::vector<std::optional<std::size_t>> found;
  for (std::size_t begin = 0; begin < values.size(); begin += per_super_block) {
    found.push_back(nearest(values, reference, begin, number_of(arm, found.size())));
  }
  return found;
}

// As they are nearly always, but for blocks that were not run.
std::vector<std::int64_t> ascending(std::vector<std::int64_t> numbers) {
  if (!std::is_sorted(numbers.begin(), numbers.end())) std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<std::int64_t> ascending_numbers(const ArmSamples& arm, const ArmSamples& reference) {
  const auto a = ascending(arm.block_numbers), b = ascending(reference.block_numbers);
  std::vector<std::int64_t> numbers;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(numbers));
  return numbers;
}

double difference_s(double arm_log_s, double reference_log_s) { return std::exp(arm_log_s) - std::exp(reference_log_s); }

// An arm's values by super-block.
struct Sides {
  BlockSeries over_ranks;
  std::vector<double> discarded;
  std::vector<std::vector<double>> of_ranks;  // medians
};

Sides sides_of(const ArmSamples& arm, Clock clock, bool by_steps) {
  Sides sides;
  sides.over_ranks = by_steps ? arm.series[index_of(clock)] : series_of_means(arm, clock);
  sides.discarded = discarded_series(arm, clock);
  for (std::size_t rank = 0; is_cpu_clock(clock) && rank < arm.ranks.size(); ++rank) {
    sides.of_ranks.push_back(by_steps ? arm.ranks[rank].thread_cpu.centres() : rank_series_of_means(arm, rank, clock).of_medians);
  }
  return sides;
}

}  // namespace

std::vector<double> nearest_reference_values(const std::vector<double>& values, const ArmSamples& reference,
                                             const ArmSamples& arm) {
  std::vector<double> found;
  for (const auto& place : places_beside(values, reference, arm)) found.push_back(place ? values[*place] : kNotMeasured);
  return found;
}

PairSeries pair_series(const LaunchSamples& launch, const std::string& arm, const std::string& reference, Clock clock) {
  const auto* of_arm = launch.find(arm);
  const auto* of_reference = launch.find(reference);
  if (of_arm == nullptr || of_reference == nullptr) return {};
  const bool by_steps = has_steps(*of_arm, clock) && has_steps(*of_reference, clock);
  const auto a = sides_of(*of_arm, clock, by_steps);
  const auto b = sides_of(*of_reference, clock, by_steps);
  const auto places = places_beside(b.over_ranks.centres(), *of_reference, *of_arm);
  const auto numbers = ascending_numbers(*of_arm, *of_reference);
  PairSeries pairs;
  pairs.of_ranks_s.resize(std::min(a.of_ranks.size(), b.of_ranks.size()));
  for (std::size_t i = 0; i < std::min(a.over_ranks.centres().size(), places.size()); ++i) {
    if (!places[i]) continue;
    const auto j = *places[i];
    const double of_medians_s = difference_s(a.over_ranks.centres()[i], b.over_ranks.centres()[j]);
    if (!std::isfinite(of_medians_s)) continue;
    pairs.of_medians_s.push_back(of_medians_s);
    pairs.of_means_s.push_back(difference_s(a.over_ranks.of_means[i], b.over_ranks.of_means[j]));
    for (std::size_t rank = 0; rank < pairs.of_ranks_s.size(); ++rank) {
      pairs.of_ranks_s[rank].push_back(difference_s(value_at(a.of_ranks[rank], i), value_at(b.of_ranks[rank], j)));
    }
    pairs.of_discarded_s.push_back(difference_s(value_at(a.discarded, i), value_at(b.discarded, j)));
    pairs.log_range_ratios.push_back(value_at(a.over_ranks.of_ranges, i) - value_at(b.over_ranks.of_ranges, j));
    pairs.super_blocks.push_back(static_cast<std::int64_t>(i) + 1);
    pairs.arm_blocks.push_back(number_of(*of_arm, i));
    pairs.reference_blocks.push_back(number_of(*of_reference, j));
    const auto is_behind_one = [&](std::int64_t number) {
      return number > 1 && std::binary_search(numbers.begin(), numbers.end(), number - 1);
    };
    pairs.touching.push_back(is_behind_one(pairs.arm_blocks.back()) || is_behind_one(pairs.reference_blocks.back()));
  }
  return pairs;
}

}  // namespace ddpbench
