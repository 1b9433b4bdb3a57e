#include "reports/analysis/comparisons/trimmed_means.hpp"

#include <algorithm>
#include <cmath>

#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

constexpr double kTrimmedShare = 0.2;  // from each end
constexpr double kMostFreedom = 1e6;   // Student's t is the normal there

struct Trimmed {
  double mean = 0;
  double variance = 0;  // of the mean: winsorized squares over h (h - 1), h values left
  double freedom = 0;   // h - 1
};

// Of the values from `first` on; those before the rank become no larger, those behind it no smaller.
double at_rank(std::vector<double>& values, std::size_t first, std::size_t rank) {
  const auto from = [&](std::size_t place) { return values.begin() + static_cast<std::ptrdiff_t>(place); };
  std::nth_element(from(first), from(rank), values.end());
  return values[rank];
}

Trimmed trimmed(std::vector<double> values) {
  const auto cut = static_cast<std::size_t>(kTrimmedShare * static_cast<double>(values.size()));
  const auto left = static_cast<double>(values.size() - 2 * cut);
  Trimmed result;
  const double low = at_rank(values, 0, cut);
  const double high = at_rank(values, cut, values.size() - cut - 1);
  for (std::size_t i = cut; i < values.size() - cut; ++i) result.mean += values[i] / left;
  double winsorized_mean = 0;
  for (const double value : values) winsorized_mean += std::clamp(value, low, high) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += std::pow(std::clamp(value, low, high) - winsorized_mean, 2);
  result.freedom = left - 1;
  result.variance = squares / (left * result.freedom);
  return result;
}

}  // namespace

GroupDifference difference_of_trimmed_means(std::vector<double> group, std::vector<double> rest, double confidence) {
  GroupDifference found;
  found.difference.n = group.size();
  if (group.size() < kFewestPairs || rest.size() < kFewestPairs) return found;
  const auto a = trimmed(std::move(group));
  const auto b = trimmed(std::move(rest));
  const double variance = a.variance + b.variance;
  if (!(variance > 0)) return found;
  const double welch = variance * variance / (a.variance * a.variance / a.freedom + b.variance * b.variance / b.freedom);
  const auto freedom = static_cast<int>(std::clamp(std::floor(welch), 1.0, kMostFreedom));
  const double half = two_sided_t_quantile(confidence, freedom) * std::sqrt(variance);
  found.difference.value = a.mean - b.mean;
  found.difference.lo = found.difference.value - half;
  found.difference.hi = found.difference.value + half;
  found.p = two_sided_t_p(found.difference.value / std::sqrt(variance), freedom);
  return found;
}

}  // namespace ddpbench
