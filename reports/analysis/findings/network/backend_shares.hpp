#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/tables/findings.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Holds what one backend costs a step with one bucket sequence, and whose that is: tables/backend_shares.csv. Microseconds per
// step, of launches of `ddpbench collectives` that measured the buckets by themselves and within a step. Of the rounds that have
// every time, paired; intervals are of 95 %. In each round exposed = floor + backend + ddp + skew + overlap. Medians of rounds do
// not add up to the median of the sum: remainder_us is what they leave of it.
struct BackendShareRow {
  std::int64_t nodes = 0, ranks_per_node = 0, world_size = 0;
  std::string bucket_cap;
  std::int64_t bytes = 0, messages = 0;
  std::string backend, floor_arm;
  Estimate step_us;
  Estimate exposed_us;  // the step beyond computing alone
  Estimate floor_us;    // the buckets alone by floor_arm
  Estimate backend_us;  // by the backend, beyond the floor
  Estimate ddp_us;      // DDP on the ideal network beyond computing
  Estimate skew_us;     // there, the slowest rank beyond the mean
  // What is left: below 0 it is hidden behind the backward; above, sending and computing are in each other's way.
  Estimate overlap_us;
  double remainder_us = kNotMeasured;
  // Beside the backend whose step is shortest with the same buckets on the same ranks; not measured for that one itself.
  std::string fastest;
  Estimate beyond_fastest_us;    // the step
  Estimate alone_beyond_us;      // the buckets alone
  Estimate beside_beyond_us;     // the rest
  std::int64_t is_shortest = 0;  // of these ranks' bucket sizes it is the one at which any backend's step is shortest
  std::int64_t rounds = 0, launches = 0;
};

// Makes the rows, in the order of the samples.
std::vector<BackendShareRow> backend_share_rows(std::span<const CollectiveSampleRow> samples);
template <>
std::vector<BackendShareRow> make_finding(const Findings& findings);

}  // namespace ddpbench
