#include "suite/estimates/mean_difference.hpp"

#include <algorithm>
#include <cmath>

#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

struct Moments {
  double mean = kNotMeasured;
  double variance_of_mean = kNotMeasured;
};

Moments moments(std::span<const double> values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  if (values.size() < 2) return {mean, kNotMeasured};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, squares / (n - 1) / n};
}

double squared_share(double variance_of_mean, std::size_t n) {
  return variance_of_mean * variance_of_mean / (static_cast<double>(n) - 1);
}

// Without any scatter the distance alone decides.
double t_of(double distance, double standard_error) {
  if (standard_error > 0 || std::isnan(standard_error)) return distance / standard_error;
  return distance == 0 ? 0 : std::copysign(HUGE_VAL, distance);
}

}  // namespace

Estimate MeanDifference::interval(double confidence) const {
  if (std::isnan(standard_error)) return {value, kNotMeasured, kNotMeasured, n};
  const double half = two_sided_t_quantile(confidence, degrees) * standard_error;
  return {value, value - half, value + half, n};
}

double MeanDifference::p_above(double bound) const {
  return std::isnan(standard_error) ? kNotMeasured : t_p_above(t_of(value - bound, standard_error), degrees);
}

double MeanDifference::p_below(double bound) const {
  return std::isnan(standard_error) ? kNotMeasured : t_p_above(t_of(bound - value, standard_error), degrees);
}

MeanDifference mean_of_differences(std::span<const double> differences) {
  const auto found = moments(differences);
  return {found.mean, std::sqrt(found.variance_of_mean), std::max(0, static_cast<int>(differences.size()) - 1),
          differences.size()};
}

MeanDifference difference_of_means(std::span<const double> sample, std::span<const double> reference) {
  const auto a = moments(sample);
  const auto b = moments(reference);
  const auto n = std::min(sample.size(), reference.size());
  const double variance = a.variance_of_mean + b.variance_of_mean;
  if (std::isnan(variance)) return {a.mean - b.mean, kNotMeasured, 0, n};
  const auto all = static_cast<int>(sample.size() + reference.size()) - 2;
  const double shares = squared_share(a.variance_of_mean, sample.size()) + squared_share(b.variance_of_mean, reference.size());
  const int degrees = shares > 0 ? std::max(1, static_cast<int>(variance * variance / shares)) : all;
  return {a.mean - b.mean, std::sqrt(variance), degrees, n};
}

}  // namespace ddpbench
