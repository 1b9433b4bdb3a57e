#include "reports/estimates/bootstrap.hpp"

#include <algorithm>
#include <random>

namespace ddpbench {

std::vector<double> resampled(std::span<const double> x, const Statistic& statistic, Resampling resampling) {
  std::mt19937 generator(resampling.seed);
  std::vector<double> sample(x.size());
  std::vector<double> values;
  for (int i = 0; i < resampling.resamples; ++i) {
    for (auto& value : sample) value = x[static_cast<std::size_t>((std::uint64_t{generator()} * x.size()) >> 32U)];
    values.push_back(statistic(sample));
  }
  std::sort(values.begin(), values.end());
  return values;
}

Estimate bootstrap_interval(std::span<const double> x, const Statistic& statistic, Resampling resampling, double confidence) {
  Estimate estimate;
  estimate.n = x.size();
  if (x.empty()) return estimate;
  std::vector<double> copy(x.begin(), x.end());
  estimate.value = statistic(copy);
  if (x.size() < 2) return estimate;
  const auto values = resampled(x, statistic, resampling);
  const double tail = 0.5 * (1 - confidence);
  estimate.lo = quantile_of_sorted(values, tail);
  estimate.hi = quantile_of_sorted(values, 1 - tail);
  return estimate;
}

}  // namespace ddpbench
