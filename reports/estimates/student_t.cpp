#include "reports/estimates/student_t.hpp"

#include <cmath>
#include <numbers>

namespace ddpbench {
namespace {

// P(|T| < t) as the finite series of Abramowitz & Stegun 26.7.3 (odd) and 26.7.4 (even degrees of freedom).
double two_sided_t_probability(double t, int degrees) {
  const double angle = std::atan(t / std::sqrt(degrees));
  const bool odd = degrees % 2 == 1;
  const double cosine = std::cos(angle);
  double term = odd ? cosine : 1.0;
  double sum = degrees == 1 ? 0.0 : term;
  for (int i = odd ? 3 : 2; i <= degrees - 2; i += 2) {
    term *= cosine * cosine * (i - 1) / i;
    sum += term;
  }
  if (!odd) return std::sin(angle) * sum;
  return 2.0 / std::numbers::pi * (angle + std::sin(angle) * sum);
}

// The x with f(x) = y of a function that rises from f(0) < y.
template <class Function>
double invert(const Function& f, double y) {
  double high = 1.0;
  while (f(high) < y) high *= 2.0;
  double low = 0.0;
  for (double middle = 0.5 * high; low < middle && middle < high; middle = 0.5 * (low + high)) {
    (f(middle) < y ? low : high) = middle;
  }
  return high;
}

}  // namespace

double two_sided_normal_quantile(double confidence) {
  return invert([](double z) { return std::erf(z / std::numbers::sqrt2); }, confidence);
}

double two_sided_t_quantile(double confidence, int degrees) {
  return invert([&](double t) { return two_sided_t_probability(t, degrees); }, confidence);
}

}  // namespace ddpbench
