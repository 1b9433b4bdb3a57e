#pragma once
#include "reports/analysis/samples/samples.hpp"

namespace ddpbench {

// Says how the ranks' times become one. On the wall and on a device a step is over when the slowest rank is: the largest, step by
// step (on a device: block by block); false. CPU time, and the count of instructions, is work that each rank does: the mean of
// the ranks' own values; true. A largest value would hide what one rank does behind the noise of the others, and would report
// variation as cost.
bool is_cpu_clock(Clock clock);

// Fills the series of every rank and of the arm from the steps, and counts their times that are invalid. `world_size`: as
// LaunchSamples::world_size. A block that one of the ranks lacks, or in which one of them has an invalid time, has no value.
void find_series(ArmSamples& arm, std::int64_t world_size, bool fastest_step = false);

// Counts the invalid times of the clocks that are read at a block's ends only, once the blocks are there.
void count_block_times(ArmSamples& arm, std::int64_t world_size);

// Says whether the clock was read at every step of this arm.
bool has_steps(const ArmSamples& arm, Clock clock);

// Returns the series over the ranks: by steps where has_steps, else by blocks.csv.gz.
BlockSeries block_series(const ArmSamples& arm, Clock clock);

// Returns it by blocks.csv.gz: what was read once a block tells no steps apart, so median and mean are one.
BlockSeries series_of_means(const ArmSamples& arm, Clock clock);

// Returns the same of one rank.
BlockSeries rank_series_of_means(const ArmSamples& arm, std::size_t rank, Clock clock);

// Returns the mean of the discarded steps of each block, over the ranks; logs. NaN: the block has none; empty: the clock is not
// read at steps.
std::vector<double> discarded_series(const ArmSamples& arm, Clock clock);

// Returns the wall time of the block's timed steps, each of the slowest rank, seconds. NaN where a rank has no such step.
std::vector<double> slowest_steps_s(const ArmSamples& arm, std::size_t block);

// Returns the value at a place; NaN behind the last one.
inline double value_at(const std::vector<double>& values, std::size_t place) {
  return place < values.size() ? values[place] : kNotMeasured;
}

// Counts the blocks of the rank that has most.
std::size_t blocks_of(const ArmSamples& arm);

}  // namespace ddpbench
