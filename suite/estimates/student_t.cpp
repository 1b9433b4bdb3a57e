#include "suite/estimates/student_t.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "suite/base/not_measured.hpp"

namespace ddpbench {
namespace {

constexpr double kTiny = 1e-300;
constexpr double kRounding = std::numeric_limits<double>::epsilon();

double away_from_zero(double value) { return std::fabs(value) < kTiny ? kTiny : value; }

// The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8) by Lentz's method in Thompson and Barnett's
// form; it converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1));
  double fraction = d;
  const auto advance = [&](double coefficient) {
    d = 1.0 / away_from_zero(1.0 + coefficient * d);
    c = away_from_zero(1.0 + coefficient / c);
    fraction *= c * d;
  };
  constexpr int kMostTerms = 10'000;
  for (int m = 1; m < kMostTerms; ++m) {
    advance(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    advance(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)));
    if (std::fabs(c * d - 1.0) <= kRounding) break;
  }
  return fraction;
}

// I_x(a, b) with y = 1 - x, handed in because a difference from 1 would lose it.
double incomplete_beta(double x, double y, double a, double b) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double log_front = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(y);
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * beta_fraction(x, a, b) / a;
  return 1.0 - std::exp(log_front) * beta_fraction(y, b, a) / b;
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

double two_sided_normal_p(double z) { return std::erfc(std::fabs(z) / std::numbers::sqrt2); }

double two_sided_normal_quantile(double confidence) {
  return invert([](double z) { return std::erf(z / std::numbers::sqrt2); }, confidence);
}

// I_x(degrees/2, 1/2) with x = degrees / (degrees + t^2) (Abramowitz & Stegun 26.7.1, 26.5.27).
double two_sided_t_p(double t, int degrees) {
  if (degrees < 1 || std::isnan(t)) return kNotMeasured;
  if (std::isinf(t)) return 0;
  const double ratio = t * t / degrees;
  if (std::isinf(ratio)) return 0;
  return incomplete_beta(1 / (1 + ratio), ratio / (1 + ratio), 0.5 * degrees, 0.5);
}

double t_p_above(double t, int degrees) {
  const double outer = 0.5 * (degrees == 0 ? two_sided_normal_p(t) : two_sided_t_p(t, degrees));
  return t > 0 ? outer : 1 - outer;
}

double two_sided_t_quantile(double confidence, int degrees) {
  if (degrees < 1) return kNotMeasured;
  return invert([&](double t) { return 1.0 - two_sided_t_p(t, degrees); }, confidence);
}

}  // namespace ddpbench
