#include "reports/analysis/findings/network/bucket_predictions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {
namespace {

constexpr double kUsPerSecond = 1e6;
constexpr std::size_t kFewestSizes = 2;

bool same_ranks(const CollectiveRow& a, const CollectiveRow& b) {
  return a.nodes == b.nodes && a.ranks_per_node == b.ranks_per_node;
}

// On the line between the two sizes around `bytes`; beyond the largest at its rate, below the smallest as that.
double between(const std::map<std::int64_t, double>& by_bytes, std::int64_t bytes) {
  const auto above = by_bytes.lower_bound(bytes);
  if (above == by_bytes.begin()) return above->second;
  const auto below = std::prev(above);
  if (above == by_bytes.end()) return below->second * static_cast<double>(bytes) / static_cast<double>(below->first);
  const double share = static_cast<double>(bytes - below->first) / static_cast<double>(above->first - below->first);
  return below->second + share * (above->second - below->second);
}

// What one all_reduce of an arm takes by its size, as measured.
class MessageTimes {
 public:
  MessageTimes(std::span<const CollectiveRow> rows, const CollectiveRow& of) {
    for (const auto& row : rows) {
      const bool counts = row.collective == "all_reduce" && row.bucket_cap.empty() && row.arm == of.arm && same_ranks(row, of);
      if (!counts || !std::isfinite(row.time_us.value)) continue;
      us_[row.bytes] = row.time_us.value;
      cpu_us_[row.bytes] = row.time_us.value * row.cores;
    }
  }

  bool are_enough() const { return us_.size() >= kFewestSizes; }
  double us(std::int64_t bytes) const { return between(us_, bytes); }
  double cpu_us(std::int64_t bytes) const { return between(cpu_us_, bytes); }

 private:
  std::map<std::int64_t, double> us_, cpu_us_;
};

// Of a workload in buckets of that size, on the rows' ranks; empty where no sample has it.
std::vector<FilledBucket> filled_buckets(std::span<const CollectiveSampleRow> samples, const CollectiveRow& row) {
  for (const auto& sample : samples) {
    const bool is_it = !sample.filled.empty() && sample.bucket_cap == row.bucket_cap && sample.nodes == row.nodes &&
                       sample.ranks_per_node == row.ranks_per_node;
    if (is_it) return parse_filled_buckets(sample.filled);
  }
  return {};
}

const CollectiveRow* ideal_beside(std::span<const CollectiveRow> rows, const CollectiveRow& step) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const CollectiveRow& row) {
    return row.collective == kStepCase && row.arm == kIdealArm && row.bucket_cap == step.bucket_cap && same_ranks(row, step);
  });
  return found == rows.end() ? nullptr : &*found;
}

// The rank waits from when it has handed over the last bucket: what is not through then makes the step longer. The timeline is stretched to what
// the step took in the rounds, for the machine drifts.
double step_with_waits_us(std::vector<FilledBucket> buckets, const MessageTimes& messages, double ideal_us) {
  const double stretch = ideal_us / (buckets.back().filled_s * kUsPerSecond);
  buckets.pop_back();
  for (auto& bucket : buckets) bucket.filled_s *= stretch;
  const double end_us = end_of_buckets_us(buckets, [&](std::int64_t bytes) { return messages.us(bytes); });
  return ideal_us + std::max(0.0, end_us - buckets.back().filled_s * kUsPerSecond);
}

// A core does one thing at a time: what sends takes the core from what computes.
double step_on_cores_us(std::span<const FilledBucket> buckets, const MessageTimes& messages, const CollectiveRow& ideal,
                        double cores_per_rank) {
  double cpu_us = ideal.time_us.value * ideal.cores;
  for (const auto& bucket : buckets) cpu_us += bucket.bytes > 0 ? messages.cpu_us(bucket.bytes) : 0;
  return cpu_us / cores_per_rank;
}

}  // namespace

double end_of_buckets_us(std::span<const FilledBucket> buckets, const std::function<double(std::int64_t bytes)>& message_us) {
  double end = 0;
  for (const auto& bucket : buckets) end = std::max(end, bucket.filled_s * kUsPerSecond) + message_us(bucket.bytes);
  return end;
}

void add_predictions(std::span<const CollectiveSampleRow> samples, double cores_per_node, std::vector<CollectiveRow>& rows) {
  for (auto& row : rows) {
    if (row.bucket_cap.empty() || is_step_arm(row.arm)) continue;
    const MessageTimes messages(rows, row);
    const auto buckets = filled_buckets(samples, row);
    if (!messages.are_enough() || buckets.size() < 2) continue;
    if (row.collective != kStepCase) {
      row.predicted_us = 0;
      for (const auto& bucket : buckets) row.predicted_us += bucket.bytes > 0 ? messages.us(bucket.bytes) : 0;
    } else if (const auto* ideal = ideal_beside(rows, row); ideal != nullptr) {
      const double cores = cores_per_node / static_cast<double>(row.ranks_per_node);
      row.predicted_us = std::fmax(step_with_waits_us(buckets, messages, ideal->time_us.value),
                                   step_on_cores_us(buckets, messages, *ideal, cores));
    }
  }
}

}  // namespace ddpbench
