#pragma once
#include <string>
#include <vector>

#include "reports/analysis/samples/samples.hpp"

namespace ddpbench {

// The reference's values as they stand beside the arm's, super-block by super-block: of a reference that was run several times there, the
// block nearest to the arm's own. NaN where there is none.
std::vector<double> beside(const std::vector<double>& values, const ArmSamples& reference, const ArmSamples& arm);

// The arm less the reference beside it in every super-block that has both. Where one of them has no step times on this clock (it is read once
// a block, or an arm's stamps were switched off) both are taken from blocks.csv.gz: a median is compared with no mean.
struct PairSeries {
  std::vector<double> log_ratios;    // of block medians: d_i of the protocol, what a percentage and its verdict's power rest on
  std::vector<double> of_medians_s;  // of block medians, seconds
  std::vector<double> of_means_s;    // of block means, seconds
};
PairSeries pair_series(const LaunchSamples& launch, const std::string& arm, const std::string& reference, Clock clock);

}  // namespace ddpbench
