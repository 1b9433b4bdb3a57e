#include "suite/estimates/bootstrap.hpp"

#include <algorithm>

namespace ddpbench {

std::vector<double> resampled(std::span<const double> x, const Statistic& statistic, Resampling resampling) {
  std::mt19937 generator(resampling.seed);
  std::vector<double> sample(x.size());
  std::vector<double> values;
  for (int i = 0; i < resampling.resamples; ++i) {
    for (auto& value : sample) value = x[resampled_index(generator, x.size())];
    values.push_back(statistic(sample));
  }
  return values;
}

Estimate bootstrap_interval(std::span<const double> x, const Statistic& statistic, Resampling resampling, double confidence) {
  Estimate estimate;
  estimate.n = x.size();
  if (x.empty()) return estimate;
  std::vector<double> copy(x.begin(), x.end());
  estimate.value = statistic(copy);
  if (x.size() < 2) return estimate;
  auto values = resampled(x, statistic, resampling);
  std::sort(values.begin(), values.end());
  const double tail = 0.5 * (1 - confidence);
  estimate.lo = quantile_of_sorted(values, tail);
  estimate.hi = quantile_of_sorted(values, 1 - tail);
  return estimate;
}

}  // namespace ddpbench
