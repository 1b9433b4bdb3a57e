#include "reports/analysis/findings/step_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/analysis/findings/network/rank_skew.hpp"
#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {
namespace {

// What of the waits in collectives falls into two of the groups of phases; the rest falls to the host.
struct WaitShares {
  double data = 0, compute = 1;
};

// Where nobody told it by phase, it is DDP's wait at the end of the backward pass.
WaitShares wait_shares(const Launch& launch, const std::string& arm) {
  double data_s = 0, compute_s = 0, all_s = 0;
  for (const auto& row : launch.metrics) {
    if (row.arm != arm || !(row.value > 0)) continue;
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
      if (row.metric != kMetrics.comm_waits[phase].name) continue;
      all_s += row.value;
      if (phase <= index_of(Phase::kH2d)) data_s += row.value;
      if (phase > index_of(Phase::kH2d) && phase <= index_of(Phase::kOptimizer)) compute_s += row.value;
    }
  }
  return all_s > 0 ? WaitShares{data_s / all_s, compute_s / all_s} : WaitShares{};
}

double mean_wait_s(const ArmSamples& arm, std::size_t block) {
  double sum_s = 0;
  for (const auto& rank : arm.ranks) sum_s += block < rank.comm_waits_s.size() ? rank.comm_waits_s[block] : kNotMeasured;
  return sum_s / static_cast<double>(arm.ranks.size());
}

// What the rank that has most to do in a block does beyond the mean of the ranks, and which rank that is.
struct BusiestRank {
  double beyond_mean_s = 0;
  std::size_t rank = 0;
};

BusiestRank busiest_rank(const ArmSamples& arm, std::size_t block) {
  BusiestRank busiest;
  double sum_s = 0, most_s = -HUGE_VAL;
  for (std::size_t rank = 0; rank < arm.ranks.size(); ++rank) {
    const double own_s = useful_seconds(arm.ranks[rank], block);
    sum_s += own_s;
    if (own_s > most_s) busiest.rank = rank;
    most_s = std::max(most_s, own_s);
  }
  busiest.beyond_mean_s = most_s - sum_s / static_cast<double>(arm.ranks.size());
  return busiest;
}

// What no phase and no wait explains is the host's, so that the parts add up to the step.
BlockParts parts_of_block(const BlockPhases& sums, const WaitShares& shares, double wait_s, double skew_s) {
  const auto rows = static_cast<double>(sums.rows);
  const double compute_s = sums.compute_s / rows - shares.compute * wait_s;
  const double data_s = sums.data_s / rows - shares.data * wait_s;
  return {compute_s, wait_s - skew_s, skew_s, data_s, sums.step_s / rows - compute_s - data_s - wait_s};
}

}  // namespace

StepBlocks step_blocks(const ArmSamples& arm, const Launch& launch, std::int64_t world_size) {
  StepBlocks found;
  if (arm.ranks.size() != static_cast<std::size_t>(world_size)) return found;
  const bool has_peers = world_size > 1;
  const auto shares = wait_shares(launch, arm.arm);
  for (std::size_t block = 0; block < arm.block_phases.size(); ++block) {
    const auto& sums = arm.block_phases[block];
    const auto busiest = busiest_rank(arm, block);
    const double wait_s = has_peers ? mean_wait_s(arm, block) : 0;
    const auto parts = parts_of_block(sums, shares, wait_s, has_peers ? std::min(wait_s, busiest.beyond_mean_s) : 0);
    if (!std::isfinite(std::accumulate(parts.begin(), parts.end(), 0.0))) continue;
    found.parts.push_back(parts);
    if (has_peers) found.slowest_ranks.push_back(busiest.rank);
    if (std::isfinite(sums.run_delay_s)) found.run_delays_s.push_back(sums.run_delay_s / static_cast<double>(sums.rows));
  }
  return found;
}

}  // namespace ddpbench
