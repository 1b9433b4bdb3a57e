#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace ddpbench::test {

// A made-up cluster of four-GPU nodes on which ResNet50 trains with DDP, as the parts of it work: buckets become ready one after the other
// during backward, are reduced one after the other within and among nodes, and what is not done when backward ends is waited for. It knows
// nothing of the model that is fitted (findings/sizes/size_model.hpp).
struct ScalingTruth {
  double forward_s = 0.030, backward_s = 0.060, optimizer_s = 0.003;
  double rank_scatter = 0.006, step_scatter = 0.01;  // of the logarithms: one GPU from the other, one step from the next
  double bucket_bytes = 25.0 * (1 << 20), first_bucket_bytes = 1 << 20, gradient_bytes = 94.1e6;
  double node_bytes_per_s = 120e9, network_bytes_per_s = 11e9;
  double node_latency_s = 9e-6, network_latency_s = 30e-6;
  std::int64_t ranks_per_node = 4;

  std::int64_t nodes(std::int64_t ranks) const { return std::max<std::int64_t>(1, ranks / ranks_per_node); }

  double reduce_s(double bytes, std::int64_t ranks) const {
    const auto within = std::min(ranks, ranks_per_node);
    return among(within, bytes / node_bytes_per_s, node_latency_s) +
           among(nodes(ranks), bytes / network_bytes_per_s, network_latency_s);
  }

  // How much longer than the slowest rank's own work a step takes.
  double exposed_s(std::int64_t ranks) const {
    std::vector<double> buckets{first_bucket_bytes};
    for (double left = gradient_bytes - first_bucket_bytes; left > 0; left -= bucket_bytes)
      buckets.push_back(std::min(left, bucket_bytes));
    double done_s = 0, bytes = 0;
    for (const double bucket : buckets) {
      bytes += bucket;
      const double ready_s = backward_s * bytes / gradient_bytes;
      done_s = std::max(done_s, ready_s) + reduce_s(bucket, ranks);
    }
    return std::max(0.0, done_s - backward_s);
  }

  // What each rank computes in one step.
  double compute_s() const { return forward_s + backward_s + optimizer_s; }

 private:
  static double among(std::int64_t ranks, double seconds, double latency_s) {
    const auto p = static_cast<double>(ranks);
    return 2 * (p - 1) / p * seconds + 2 * std::log2(p) * latency_s;
  }
};

// How fast each rank is, against the mean; drawn anew for every launch.
inline std::vector<double> rank_factors(const ScalingTruth& truth, std::int64_t ranks, std::mt19937& generator) {
  std::normal_distribution<double> scatter(0, truth.rank_scatter);
  std::vector<double> factors;
  for (std::int64_t rank = 0; rank < ranks; ++rank) factors.push_back(std::exp(scatter(generator)));
  return factors;
}

}  // namespace ddpbench::test
