#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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
  double step_us = kNotMeasured, step_us_lo = kNotMeasured, step_us_hi = kNotMeasured;
  double exposed_us = kNotMeasured, exposed_us_lo = kNotMeasured,
         exposed_us_hi = kNotMeasured;                                                     // the step beyond computing alone
  double floor_us = kNotMeasured, floor_us_lo = kNotMeasured, floor_us_hi = kNotMeasured;  // the buckets alone by floor_arm
  double backend_us = kNotMeasured, backend_us_lo = kNotMeasured,
         backend_us_hi = kNotMeasured;                                               // by the backend, beyond the floor
  double ddp_us = kNotMeasured, ddp_us_lo = kNotMeasured, ddp_us_hi = kNotMeasured;  // DDP on the ideal network beyond computing
  double skew_us = kNotMeasured, skew_us_lo = kNotMeasured, skew_us_hi = kNotMeasured;  // there, the slowest rank beyond the mean
  // What is left: below 0 it is hidden behind the backward; above, sending and computing are in each other's way.
  double overlap_us = kNotMeasured, overlap_us_lo = kNotMeasured, overlap_us_hi = kNotMeasured;
  double remainder_us = kNotMeasured;
  // Beside the backend whose step is shortest with the same buckets on the same ranks; not measured for that one itself.
  std::string fastest;
  double beyond_fastest_us = kNotMeasured, beyond_fastest_us_lo = kNotMeasured, beyond_fastest_us_hi = kNotMeasured;  // the step
  double alone_beyond_us = kNotMeasured, alone_beyond_us_lo = kNotMeasured,
         alone_beyond_us_hi = kNotMeasured;  // the buckets alone
  double beside_beyond_us = kNotMeasured, beside_beyond_us_lo = kNotMeasured, beside_beyond_us_hi = kNotMeasured;  // the rest
  std::int64_t is_shortest = 0;  // of these ranks' bucket sizes it is the one at which any backend's step is shortest
  std::int64_t rounds = 0, launches = 0;
};

// Makes the rows, in the order of the samples.
std::vector<BackendShareRow> backend_share_rows(std::span<const CollectiveSampleRow> samples);

}  // namespace ddpbench
