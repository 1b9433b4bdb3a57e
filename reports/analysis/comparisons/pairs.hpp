#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/analysis/samples/samples.hpp"

namespace ddpbench {

// Returns the reference's values as they stand beside the arm's, super-block by super-block: of a reference that was run several
// times there, the block nearest to the arm's own. NaN where there is none.
std::vector<double> nearest_reference_values(const std::vector<double>& values, const ArmSamples& reference,
                                             const ArmSamples& arm);

// Holds the arm less the reference beside it, in every super-block that has both; all series are of the same super-blocks. Where
// one of them has no step times on this clock (it is read once a block, or an arm's stamps were switched off) both are taken from
// blocks.csv.gz: a median is compared with no mean.
struct PairSeries {
  std::vector<double> of_medians_s;             // of block medians, over the ranks
  std::vector<double> of_means_s;               // of block means, over the ranks
  std::vector<std::vector<double>> of_ranks_s;  // of block medians, rank by rank; empty on clocks that take the slowest
  std::vector<double> of_discarded_s;           // of the steps that are discarded, means; NaN where they have no times
  std::vector<double> log_range_ratios;         // arm over reference: how far the steps of a block lie apart; NaN: not known
  std::vector<std::int64_t> super_blocks;       // from 1
  std::vector<bool> touching;                   // one of the two blocks was run right behind a block of either arm
  std::vector<std::int64_t> arm_blocks, reference_blocks;  // numbers of the two blocks, counted over the launch; 0: not known

  std::size_t size() const { return of_medians_s.size(); }
};
// Pairs an arm with its reference in one launch; empty where one of them has no samples there.
PairSeries pair_series(const LaunchSamples& launch, const std::string& arm, const std::string& reference, Clock clock);

// Returns what a filter leaves of `values`, one for each pair; values that are not finite never stay.
template <class Keep>
std::vector<double> kept(const std::vector<double>& values, Keep keep) {
  std::vector<double> left;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && keep(i)) left.push_back(values[i]);
  }
  return left;
}

}  // namespace ddpbench
