#pragma once
#include "reports/analysis/samples/samples.hpp"

namespace ddpbench {

// Whether the clock was read at every step of this arm.
bool has_steps(const ArmSamples& arm, Clock clock);

// By steps where has_steps, else by blocks.csv.gz.
BlockSeries block_series(const ArmSamples& arm, Clock clock);

// By blocks.csv.gz: what was read once a block tells no steps apart, so median and mean are one.
BlockSeries series_of_means(const ArmSamples& arm, Clock clock);

}  // namespace ddpbench
