#pragma once
#include <span>

#include "suite/base/not_measured.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {

// Holds a point with its standard error.
struct LinePoint {
  double x = 0, y = 0;
  double sd = 0;  // standard error of y, > 0
};

// Fits y = intercept + slope x by least squares with weights 1 / sd². Variances are scaled by max(1, chi² / (n - 2)) (Birge
// 1932): points that scatter more than their own errors say widen the line, points that scatter less do not narrow it.
struct WeightedLine {
  double intercept = kNotMeasured, slope = kNotMeasured;
  double intercept_variance = kNotMeasured, slope_variance = kNotMeasured, covariance = kNotMeasured;
  double chi_square = kNotMeasured, scale = kNotMeasured;
  double t = kNotMeasured;  // Student's quantile for the wanted confidence and n - 2 degrees of freedom

  double at(double x) const { return intercept + slope * x; }
  double half_width(double x) const;  // of the confidence band
  Estimate band(double x) const { return {at(x), at(x) - half_width(x), at(x) + half_width(x), 0}; }
  double intercept_half_width() const { return half_width(0); }
  double slope_half_width() const;
  Estimate intercept_estimate() const;
  Estimate slope_estimate() const;
};

// Fits a line; throws Error for fewer than three points or for a single x.
WeightedLine fit_line(std::span<const LinePoint> points, double confidence);

// Holds where the line meets y = share · x, x > 0: the step time at which a cost of c + s T is that share of the step. Its bounds
// are Fieller's (1954): every x at which the line and the ray cannot be told apart.
struct Crossing {
  enum class Kind {
    kBounded,    // [lo, hi]; lo is 0 where the interval reaches the origin
    kUnbounded,  // [lo, infinity)
    kNever,      // the cost stays below the share at every x > 0
    kAlways,     // … above it
    kUnknown,    // nothing can be excluded
  };
  Kind kind = Kind::kUnknown;
  Estimate x;  // the value is NaN where the two lines do not meet at x > 0
};
// Finds where the line crosses a share, from 0 to 1, with bounds of the line's confidence.
Crossing crossing_at_share(const WeightedLine& line, double share);

// Returns what holds where one of them is true; the value is the first one's.
Crossing either(const Crossing& first, const Crossing& second);

const char* crossing_name(Crossing::Kind kind);  // "bounded", …

}  // namespace ddpbench
