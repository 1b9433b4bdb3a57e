#include "reports/analysis/comparisons/weighted_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "suite/base/errors.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

struct Sums {
  double weight = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0;  // the last two about the means
};

double weight_of(const LinePoint& point) { return 1 / (point.sd * point.sd); }

Sums sums_of(std::span<const LinePoint> points) {
  Sums sums;
  for (const auto& point : points) {
    sums.weight += weight_of(point);
    sums.mean_x += weight_of(point) * point.x;
    sums.mean_y += weight_of(point) * point.y;
  }
  sums.mean_x /= sums.weight;
  sums.mean_y /= sums.weight;
  for (const auto& point : points) {
    const double dx = point.x - sums.mean_x;
    sums.xx += weight_of(point) * dx * dx;
    sums.xy += weight_of(point) * dx * (point.y - sums.mean_y);
  }
  return sums;
}

double chi_square(std::span<const LinePoint> points, const WeightedLine& line) {
  double sum = 0;
  for (const auto& point : points) sum += weight_of(point) * std::pow(point.y - line.at(point.x), 2);
  return sum;
}

// a x² + b x + c <= 0: where the difference of line and ray is within its own band.
struct Quadratic {
  double a, b, c;
};

Quadratic fieller(const WeightedLine& line, double slope) {
  const double t2 = line.t * line.t;
  return {slope * slope - t2 * line.slope_variance, 2 * (line.intercept * slope - t2 * line.covariance),
          line.intercept * line.intercept - t2 * line.intercept_variance};
}

// Ascending; the pair that does not lose digits where b² is much larger than 4ac.
std::array<double, 2> roots_of(const Quadratic& q, double discriminant) {
  const double half = -0.5 * (q.b + std::copysign(std::sqrt(discriminant), q.b));
  std::array<double, 2> roots{half / q.a, half == 0 ? 0.0 : q.c / half};
  std::sort(roots.begin(), roots.end());
  return roots;
}

void bound(Crossing& crossing, double lo, double hi) {
  crossing.kind = std::isinf(hi) ? Crossing::Kind::kUnbounded : Crossing::Kind::kBounded;
  crossing.x.lo = lo;
  crossing.x.hi = std::isinf(hi) ? kNotMeasured : hi;
}

}  // namespace

double WeightedLine::half_width(double x) const {
  return t * std::sqrt(std::max(0.0, intercept_variance + 2 * x * covariance + x * x * slope_variance));
}

double WeightedLine::slope_half_width() const { return t * std::sqrt(slope_variance); }

Estimate WeightedLine::intercept_estimate() const {
  return {intercept, intercept - intercept_half_width(), intercept + intercept_half_width()};
}

Estimate WeightedLine::slope_estimate() const { return {slope, slope - slope_half_width(), slope + slope_half_width()}; }

WeightedLine fit_line(std::span<const LinePoint> points, double confidence) {
  if (points.size() < 3) throw Error("a line with an interval takes three points");
  const auto sums = sums_of(points);
  if (!(sums.xx > 0)) throw Error("a line takes two different x");
  WeightedLine line;
  line.slope = sums.xy / sums.xx;
  line.intercept = sums.mean_y - line.slope * sums.mean_x;
  line.chi_square = chi_square(points, line);
  const auto freedom = static_cast<int>(points.size()) - 2;
  line.scale = std::max(1.0, line.chi_square / freedom);
  line.slope_variance = line.scale / sums.xx;
  line.covariance = -sums.mean_x * line.slope_variance;
  line.intercept_variance = line.scale / sums.weight + sums.mean_x * sums.mean_x * line.slope_variance;
  line.t = two_sided_t_quantile(confidence, freedom);
  return line;
}

Crossing crossing_at_share(const WeightedLine& line, double share) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double slope = line.slope - share;
  const auto q = fieller(line, slope);
  Crossing crossing;
  if (line.intercept * slope < 0) crossing.x.value = -line.intercept / slope;
  const double discriminant = q.b * q.b - 4 * q.a * q.c;
  if (q.a == 0 || (q.a < 0 && discriminant <= 0)) return crossing;
  const auto [low, high] = roots_of(q, std::max(0.0, discriminant));
  const bool inside = q.a > 0;  // of the roots; else outside of them
  if (inside && high > 0) {
    bound(crossing, std::max(0.0, low), high);
  } else if (inside) {
    crossing.kind = slope > 0 ? Crossing::Kind::kAlways : Crossing::Kind::kNever;
  } else if (low <= 0 && high > 0) {
    bound(crossing, high, kInfinity);
  }
  return crossing;
}

Crossing either(const Crossing& first, const Crossing& second) {
  using Kind = Crossing::Kind;
  if (first.kind == second.kind && (first.kind == Kind::kNever || first.kind == Kind::kAlways)) return first;
  // "Never" meets at the origin, "always" at a step without end.
  const auto from = [](const Crossing& one) { return one.kind == Kind::kNever ? 0 : one.x.lo; };  // NaN: always
  const auto is_endless = [](const Crossing& one) { return one.kind == Kind::kUnbounded || one.kind == Kind::kAlways; };
  const auto to = [](const Crossing& one) { return one.kind == Kind::kNever ? 0 : one.x.hi; };
  Crossing both;
  both.x.value = first.x.value;
  if (first.kind == Kind::kUnknown || second.kind == Kind::kUnknown) return both;
  both.x.lo = std::fmin(from(first), from(second));
  if (is_endless(first) || is_endless(second)) {
    both.kind = both.x.lo > 0 ? Kind::kUnbounded : Kind::kUnknown;
    if (both.kind == Kind::kUnknown) both.x.lo = kNotMeasured;
    return both;
  }
  both.kind = Kind::kBounded;
  both.x.hi = std::fmax(to(first), to(second));
  return both;
}

const char* crossing_name(Crossing::Kind kind) {
  constexpr std::array kNames{"bounded", "unbounded", "never", "always", "unknown"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace ddpbench
