#include "reports/analysis/comparisons/weighted_line.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using Kind = Crossing::Kind;

constexpr std::array kX{100.0, 200.0, 400.0, 900.0, 2000.0, 5000.0};
constexpr std::array kSd{0.2, 0.15, 0.3, 0.25, 0.4, 0.8};

std::vector<LinePoint> points(const std::array<double, 6>& y) {
  std::vector<LinePoint> all;
  for (std::size_t i = 0; i < y.size(); ++i) all.push_back({kX[i], y[i], kSd[i]});
  return all;
}

// numpy.polyfit(x, y, 1, w=1/sd, cov="unscaled")
TEST(WeightedLine, KnownAnswer) {
  const auto line = fit_line(points({2.1, 2.0, 2.9, 3.2, 4.4, 9.1}), 0.95);
  EXPECT_NEAR(line.intercept, 1.8746834998358306, 1e-12);
  EXPECT_NEAR(line.slope, 0.0014021489958188774, 1e-15);
  EXPECT_NEAR(line.chi_square, 4.2699456149877495, 1e-11);
  EXPECT_NEAR(line.scale, 4.2699456149877495 / 4, 1e-11);
  EXPECT_NEAR(line.intercept_variance / line.scale, 0.013743963908586704, 1e-14);
  EXPECT_NEAR(line.slope_variance / line.scale, 1.774669424998106e-08, 1e-19);
  EXPECT_NEAR(line.covariance / line.scale, -8.594789325165492e-06, 1e-17);
  EXPECT_NEAR(line.t, 2.7764451051977934, 1e-9);  // 4 degrees of freedom
}

// numpy.polyfit(x, y, 1, w=1/sd, cov=True): scaled by chi² / (n - 2)
TEST(WeightedLine, PointsThatScatterWidenIt) {
  const auto line = fit_line(points({3.1, 1.0, 3.9, 2.2, 5.4, 8.1}), 0.95);
  EXPECT_NEAR(line.chi_square, 127.03664353538213, 1e-10);
  EXPECT_NEAR(line.intercept_variance, 0.43649676095457102, 1e-12);
  EXPECT_NEAR(line.slope_variance, 5.6362011784156409e-07, 1e-18);
  EXPECT_NEAR(line.covariance, -0.00027296329694068865, 1e-15);
}

TEST(WeightedLine, PointsThatScatterLessDoNotNarrowIt) {
  std::array<double, 6> y{};
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 2 + 0.001 * kX[i];
  const auto line = fit_line(points(y), 0.95);
  EXPECT_NEAR(line.intercept, 2, 1e-12);
  EXPECT_NEAR(line.slope, 0.001, 1e-15);
  EXPECT_EQ(line.scale, 1);
}

TEST(WeightedLine, TooFewPointsAndOneStepLengthOnlyAreErrors) {
  const std::vector<LinePoint> two{{1, 1, 1}, {2, 2, 1}};
  EXPECT_THROW(fit_line(two, 0.95), Error);
  const std::vector<LinePoint> same{{1, 1, 1}, {1, 2, 1}, {1, 3, 1}};
  EXPECT_THROW(fit_line(same, 0.95), Error);
}

// At Fieller's bounds the difference of line and ray is exactly as large as its half-width.
TEST(Crossing, BoundsAreWhereLineAndRayPart) {
  const auto line = fit_line(points({2.1, 2.0, 2.9, 3.2, 4.4, 9.1}), 0.95);
  const auto crossing = crossing_at_share(line, 0.01);
  ASSERT_EQ(crossing.kind, Kind::kBounded);
  EXPECT_NEAR(crossing.x.value, line.intercept / (0.01 - line.slope), 1e-9);
  EXPECT_LT(crossing.x.lo, crossing.x.value);
  EXPECT_GT(crossing.x.hi, crossing.x.value);
  for (const double x : {crossing.x.lo, crossing.x.hi}) {
    EXPECT_NEAR(std::fabs(line.at(x) - 0.01 * x), line.half_width(x), 1e-9);
  }
}

WeightedLine made_line(double intercept, double slope, double intercept_sd, double slope_sd) {
  WeightedLine line;
  line.intercept = intercept;
  line.slope = slope;
  line.intercept_variance = intercept_sd * intercept_sd;
  line.slope_variance = slope_sd * slope_sd;
  line.covariance = 0;
  line.t = 2;
  return line;
}

TEST(Crossing, AConstantThatMayBeZeroReachesTheOrigin) {
  const auto crossing = crossing_at_share(made_line(1, 0, 1, 1e-5), 0.01);
  EXPECT_EQ(crossing.kind, Kind::kBounded);
  EXPECT_EQ(crossing.x.lo, 0);
  EXPECT_NEAR(crossing.x.hi, 300, 1);
}

TEST(Crossing, ASlopeThatMayBeTheShareHasNoUpperBound) {
  const auto crossing = crossing_at_share(made_line(1, 0.002, 0.1, 0.01), 0.01);
  EXPECT_EQ(crossing.kind, Kind::kUnbounded);
  EXPECT_NEAR(crossing.x.value, 125, 1e-9);
  EXPECT_GT(crossing.x.lo, 0);
  EXPECT_TRUE(std::isnan(crossing.x.hi));
}

TEST(Crossing, EitherHoldsWhatBothAllow) {
  const Crossing near{Kind::kBounded, {5, 4, 6}}, far{Kind::kBounded, {8, 7, 9}}, endless{Kind::kUnbounded, {9, 3, kNotMeasured}};
  const Crossing never{Kind::kNever, {}}, always{Kind::kAlways, {}}, unknown{};
  const auto both = either(near, far);
  EXPECT_EQ(both.kind, Kind::kBounded);
  EXPECT_EQ(std::vector({both.x.value, both.x.lo, both.x.hi}), std::vector({5.0, 4.0, 9.0}));
  EXPECT_EQ(either(near, endless).kind, Kind::kUnbounded);
  EXPECT_EQ(either(near, endless).x.lo, 3);
  EXPECT_EQ(either(near, always).kind, Kind::kUnbounded);
  EXPECT_EQ(either(near, always).x.lo, 4);
  EXPECT_EQ(either(near, never).kind, Kind::kBounded);
  EXPECT_EQ(either(near, never).x.lo, 0);
  EXPECT_EQ(either(near, never).x.hi, 6);
  EXPECT_EQ(either(never, never).kind, Kind::kNever);
  EXPECT_EQ(either(always, always).kind, Kind::kAlways);
  for (const auto& [one, other] : {std::pair(never, always), {never, endless}, {near, unknown}, {unknown, unknown}})
    EXPECT_EQ(either(one, other).kind, Kind::kUnknown);
}

TEST(Crossing, NeverAndAlways) {
  EXPECT_EQ(crossing_at_share(made_line(-1, 0, 0.1, 1e-5), 0.01).kind, Kind::kNever);
  EXPECT_EQ(crossing_at_share(made_line(1, 0.05, 0.1, 1e-5), 0.01).kind, Kind::kAlways);
  EXPECT_TRUE(std::isnan(crossing_at_share(made_line(-1, 0, 0.1, 1e-5), 0.01).x.value));
}

TEST(Crossing, NothingIsKnownWhereBothMayBeAnything) {
  EXPECT_EQ(crossing_at_share(made_line(1, 0, 1, 0.1), 0.01).kind, Kind::kUnknown);
}

}  // namespace
}  // namespace ddpbench
