#include "reports/analysis/samples/block_series.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace ddpbench {
namespace {

bool is_valid(double seconds) { return std::isfinite(seconds) && seconds > 0; }

// Of steps that are all valid, shortest first: the logarithm of the middle one, or the mean of those of the two.
double log_of_median(std::span<const double> sorted_s) {
  const auto middle = sorted_s.size() / 2;
  if (sorted_s.size() % 2 == 1) return std::log(sorted_s[middle]);
  return 0.5 * (std::log(sorted_s[middle]) + std::log(sorted_s[middle - 1]));
}

bool are_valid(std::span<const double> steps_s) {
  return !steps_s.empty() && std::all_of(steps_s.begin(), steps_s.end(), is_valid);
}

double log_of_mean(std::span<const double> steps_s) {
  double sum = 0;
  for (const double step_s : steps_s) sum += step_s;
  return std::log(sum / static_cast<double>(steps_s.size()));
}

// The steps of a block on one clock, into `steps_s`: there are millions of blocks.
void put_steps(const BlockTable& blocks, std::size_t block, std::size_t clock, std::vector<double>& steps_s) {
  steps_s.clear();
  if (block >= blocks.size()) return;
  for (const auto& times : blocks[block]) steps_s.push_back(times[clock]);
}

// NaN where there is no step, or one is invalid. Puts the steps into order.
void add_block(BlockSeries& series, std::vector<double>& steps_s, bool fastest_step) {
  const bool valid = are_valid(steps_s);
  series.of_means.push_back(valid ? log_of_mean(steps_s) : kNotMeasured);
  std::sort(steps_s.begin(), steps_s.end());
  series.of_ranges.push_back(valid ? std::log(steps_s.back() - steps_s.front()) : kNotMeasured);
  series.of_medians.push_back(valid ? log_of_median(steps_s) : kNotMeasured);
  if (fastest_step) series.of_fastest.push_back(valid ? std::log(steps_s.front()) : kNotMeasured);
}

BlockSeries series_of(const BlockTable& blocks, std::size_t clock, bool fastest_step) {
  BlockSeries series;
  for (auto* values : {&series.of_medians, &series.of_means, &series.of_ranges}) values->reserve(blocks.size());
  std::vector<double> steps_s;
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    put_steps(blocks, block, clock, steps_s);
    add_block(series, steps_s, fastest_step);
  }
  return series;
}

// The ranks' values of each block as one: the largest, or the mean. NaN where a rank has none.
template <class ValueOf>
std::vector<double> over_ranks(std::size_t blocks, std::size_t ranks, bool mean, ValueOf value_of) {
  std::vector<double> values;
  values.reserve(blocks);
  for (std::size_t block = 0; block < blocks; ++block) {
    double sum = 0;
    double largest = -HUGE_VAL;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const double log_s = value_of(rank, block);
      sum += std::exp(log_s);
      largest = std::max(largest, log_s);
    }
    values.push_back(mean || std::isnan(sum) ? std::log(sum / static_cast<double>(ranks)) : largest);
  }
  return values;
}

std::vector<double> mean_over_ranks(const ArmSamples& arm, std::vector<double> BlockSeries::*which) {
  return over_ranks(blocks_of(arm), arm.ranks.size(), true,
                    [&](std::size_t rank, std::size_t block) { return value_at(arm.ranks[rank].thread_cpu.*which, block); });
}

void put_slowest(const ArmSamples& arm, std::size_t block, std::size_t clock, std::vector<double>& slowest_s) {
  slowest_s.clear();
  for (const auto& rank : arm.ranks) {
    const auto steps = block < rank.steps.size() ? rank.steps[block].size() : 0;
    if (slowest_s.size() < steps) slowest_s.resize(steps, -HUGE_VAL);
  }
  for (const auto& rank : arm.ranks) {
    for (std::size_t step = 0; step < slowest_s.size(); ++step) {
      const bool is_there = block < rank.steps.size() && step < rank.steps[block].size();
      const double step_s = is_there ? rank.steps[block][step][clock] : kNotMeasured;
      slowest_s[step] = is_valid(step_s) ? std::max(slowest_s[step], step_s) : kNotMeasured;
    }
  }
}

void add_slowest(ArmSamples& arm, std::size_t clock, bool fastest_step) {
  auto& series = arm.series[clock];
  const auto blocks = blocks_of(arm);
  for (auto* values : {&series.of_medians, &series.of_means, &series.of_ranges}) values->reserve(blocks);
  std::vector<double> steps_s;
  for (std::size_t block = 0; block < blocks; ++block) {
    put_slowest(arm, block, clock, steps_s);
    add_block(series, steps_s, fastest_step);
  }
}

// Of blocks that were run: all ranks should have all of their steps.
InvalidTimes count_invalid(const ArmSamples& arm, std::size_t clock) {
  InvalidTimes found;
  bool any = false;
  const auto blocks = blocks_of(arm);
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t most = 0;
    for (const auto& rank : arm.ranks) most = std::max(most, block < rank.steps.size() ? rank.steps[block].size() : 0);
    for (const auto& rank : arm.ranks) {
      std::size_t valid = 0;
      if (block < rank.steps.size()) {
        for (const auto& times : rank.steps[block]) {
          valid += is_valid(times[clock]) ? 1 : 0;
          any |= clock == index_of(Clock::kAwaited)
                     ? !std::isnan(times[clock])  // which beside a device, or without schedstat, nobody has
                     : std::any_of(times.begin(), times.end(), [](double time_s) { return !std::isnan(time_s); });
        }
      }
      found.all += static_cast<std::int64_t>(most);
      found.invalid += static_cast<std::int64_t>(most - valid);
    }
  }
  return any ? found : InvalidTimes{};  // an arm without timers
}

// A rank that no row names has no times: it is missing, and not less.
void require_ranks(ArmSamples& arm, std::int64_t world_size) {
  if (static_cast<std::int64_t>(arm.ranks.size()) < world_size) arm.ranks.resize(static_cast<std::size_t>(world_size));
}

constexpr BlockTimes kNoTimes{kNotMeasured, kNotMeasured, kNotMeasured, kNotMeasured, kNotMeasured, kNotMeasured};

// The same of a clock that is read at a block's ends only. One that was read nowhere is not there.
InvalidTimes count_invalid_blocks(const ArmSamples& arm, std::size_t clock) {
  std::size_t blocks = 0;
  for (const auto& rank : arm.ranks) blocks = std::max(blocks, rank.block_means.size());
  InvalidTimes found;
  bool any = false;
  for (std::size_t block = 0; block < blocks; ++block) {
    bool was_run = false;
    InvalidTimes here;
    for (const auto& rank : arm.ranks) {
      const auto times = block < rank.block_means.size() ? rank.block_means[block] : kNoTimes;
      was_run |= std::any_of(times.begin(), times.end(), [](double time_s) { return !std::isnan(time_s); });
      any |= !std::isnan(times[clock]);
      ++here.all;
      here.invalid += is_valid(times[clock]) ? 0 : 1;
    }
    if (!was_run) continue;
    found.all += here.all;
    found.invalid += here.invalid;
  }
  return any ? found : InvalidTimes{};
}

}  // namespace

bool is_cpu_clock(Clock clock) {
  return clock == Clock::kThreadCpu || clock == Clock::kProcessCpu || clock == Clock::kInstructions;
}

std::size_t blocks_of(const ArmSamples& arm) {
  std::size_t blocks = 0;
  for (const auto& rank : arm.ranks) blocks = std::max(blocks, rank.steps.size());
  return blocks;
}

void find_series(ArmSamples& arm, std::int64_t world_size, bool fastest_step) {
  require_ranks(arm, world_size);
  for (auto& rank : arm.ranks) rank.thread_cpu = series_of(rank.steps, index_of(Clock::kThreadCpu), fastest_step);
  for (const auto clock : {Clock::kWall, Clock::kAwaited}) add_slowest(arm, index_of(clock), fastest_step);
  auto& mean = arm.series[index_of(Clock::kThreadCpu)];
  for (const auto which : {&BlockSeries::of_medians, &BlockSeries::of_means, &BlockSeries::of_ranges})
    mean.*which = mean_over_ranks(arm, which);
  if (fastest_step) mean.of_fastest = mean_over_ranks(arm, &BlockSeries::of_fastest);
  for (std::size_t clock = 0; clock < kStepClockCount; ++clock) arm.times[clock] = count_invalid(arm, clock);
}

void count_block_times(ArmSamples& arm, std::int64_t world_size) {
  require_ranks(arm, world_size);
  for (std::size_t clock = kStepClockCount; clock < kClockCount; ++clock) arm.times[clock] = count_invalid_blocks(arm, clock);
}

bool has_steps(const ArmSamples& arm, Clock clock) {
  if (entry_of(clock).step_column == nullptr) return false;
  return arm.times[index_of(clock)].all > 0;
}

BlockSeries block_series(const ArmSamples& arm, Clock clock) {
  return has_steps(arm, clock) ? arm.series[index_of(clock)] : series_of_means(arm, clock);
}

BlockSeries series_of_means(const ArmSamples& arm, Clock clock) {
  std::size_t blocks = 0;
  for (const auto& rank : arm.ranks) blocks = std::max(blocks, rank.block_means.size());
  BlockSeries series;
  series.of_medians = over_ranks(blocks, arm.ranks.size(), is_cpu_clock(clock), [&](std::size_t rank, std::size_t block) {
    const auto& means = arm.ranks[rank].block_means;
    const double mean_s = block < means.size() ? means[block][index_of(clock)] : kNotMeasured;
    return is_valid(mean_s) ? std::log(mean_s) : kNotMeasured;
  });
  series.of_means = series.of_medians;
  return series;
}

BlockSeries rank_series_of_means(const ArmSamples& arm, std::size_t rank, Clock clock) {
  BlockSeries series;
  for (const auto& means : arm.ranks.at(rank).block_means) {
    const double mean_s = means[index_of(clock)];
    series.of_medians.push_back(is_valid(mean_s) ? std::log(mean_s) : kNotMeasured);
  }
  series.of_means = series.of_medians;
  return series;
}

std::vector<double> discarded_series(const ArmSamples& arm, Clock clock) {
  if (entry_of(clock).step_column == nullptr) return {};
  std::size_t blocks = 0;
  for (const auto& rank : arm.ranks) blocks = std::max(blocks, rank.discarded_steps.size());
  std::vector<double> discarded_s;
  return over_ranks(blocks, arm.ranks.size(), is_cpu_clock(clock), [&](std::size_t rank, std::size_t block) {
    put_steps(arm.ranks[rank].discarded_steps, block, index_of(clock), discarded_s);
    return are_valid(discarded_s) ? log_of_mean(discarded_s) : kNotMeasured;
  });
}

std::vector<double> slowest_steps_s(const ArmSamples& arm, std::size_t block) {
  std::vector<double> slowest_s;
  put_slowest(arm, block, index_of(Clock::kWall), slowest_s);
  return slowest_s;
}

}  // namespace ddpbench
