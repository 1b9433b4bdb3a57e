#include "suite/estimates/median_interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "suite/base/median.hpp"

namespace ddpbench {
namespace {

// 0: no such k.
std::size_t lower_rank(std::size_t n, double tail) {
  const auto count = static_cast<double>(n);
  const auto log_probability = [&](double heads) {
    return std::lgamma(count + 1) - std::lgamma(heads + 1) - std::lgamma(count - heads + 1) - count * std::numbers::ln2;
  };
  double below = 0;
  std::size_t k = 0;
  while (2 * k < n) {
    below += std::exp(log_probability(static_cast<double>(k)));
    if (below > tail) break;
    ++k;
  }
  return k;
}

}  // namespace

Estimate median_interval(std::vector<double> values, double confidence) {
  Estimate estimate;
  estimate.n = values.size();
  const auto k = lower_rank(values.size(), 0.5 * (1 - confidence));
  if (k > 0) {
    std::sort(values.begin(), values.end());
    estimate.lo = values[k - 1];
    estimate.hi = values[values.size() - k];
  }
  estimate.value = median(std::move(values));
  return estimate;
}

}  // namespace ddpbench
