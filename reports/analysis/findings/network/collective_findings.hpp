#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/tables/findings.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Names the bucket_cap_mb that stands for DDP's own buckets.
inline constexpr const char* kDefaultBuckets = "default";

// Holds one case by one arm, beside the reference in the same rounds: collectives.csv. Intervals are of 95 %.
struct CollectiveRow {
  std::int64_t nodes = 0, ranks_per_node = 0, world_size = 0;
  std::string collective, bucket_cap;
  std::string layout;  // of a bucket sequence or a step: equal where sizes make the same buckets
  std::int64_t bytes = 0, count = 0, messages = 0;
  std::string type, redop;
  std::string arm, role, reference;
  Estimate time_us;
  double algbw_gb_s = kNotMeasured;
  Estimate busbw_gb_s;
  Estimate speed;         // the reference's time over the arm's
  Estimate beyond_us;     // the arm's time less the reference's
  Estimate default_over;  // bucket_cap_mb = default's time over this one's; of all other layouts together
  // Of a bucket sequence or a step, from the arm's all_reduce by size and the backward's timeline (bucket_predictions.hpp).
  double predicted_us = kNotMeasured;
  double slowest_us = kNotMeasured, p99_us = kNotMeasured, longest_us = kNotMeasured;
  double cores = kNotMeasured;  // that a rank keeps busy
  double wrong = kNotMeasured;
  std::int64_t rounds = 0, calls = 0, launches = 0;
};

// Makes the rows in the order of the samples: case by case, arm by arm.
std::vector<CollectiveRow> collective_rows(std::span<const CollectiveSampleRow> samples);
template <>
std::vector<CollectiveRow> make_finding(const Findings& findings);

// Holds the line time = alpha + bytes / bandwidth, over the sizes of one collective by one arm.
struct CollectiveFitRow {
  std::int64_t nodes = 0, ranks_per_node = 0, world_size = 0;
  std::string collective, arm;
  Estimate alpha_us;
  Estimate bandwidth_gb_s;                   // algbw of a long message
  double worst_miss_percent = kNotMeasured;  // the line less the measured time, where that is largest
  std::int64_t worst_miss_bytes = 0, sizes = 0;
  std::string reason;  // why there is no line
};

// Bounds each size's standard error from below, as a share of its time: a line that is right to a few percent at every size is
// worth more than one that is right to a millionth at the longest.
inline constexpr double kFitShare = 0.02;
// Fewer sizes than this bear no line.
inline constexpr std::size_t kFewestFitSizes = 4;
// Fits a line by least squares, weighted by those errors, for each collective and arm that was measured by size; `reason` where
// there is none.
std::vector<CollectiveFitRow> collective_fits(std::span<const CollectiveRow> rows);

}  // namespace ddpbench
