#include "suite/estimates/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "suite/base/median.hpp"
#include "suite/estimates/median_interval.hpp"
#include "suite/estimates/quantity.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

// Numbers below 1e-12 from these are the same. They were made with numpy 2.4 and scipy 1.17: Walsh averages as
// sorted((x[i]+x[j])/2), K from the exact distribution by convolution or from the formula with scipy.stats.norm.ppf, and the
// exact bounds checked by scipy.stats.wilcoxon(x - t, mode="exact"): its p crosses 0.05 between 1e-9 below and above each bound
// (nine values: 0.0391 / 0.0547; twenty-four: 0.0491 / 0.0526).
constexpr double kClose = 1e-12;

void expect_estimate(const Estimate& estimate, double value, double lo, double hi) {
  EXPECT_NEAR(estimate.value, value, kClose);
  EXPECT_NEAR(estimate.lo, lo, kClose);
  EXPECT_NEAR(estimate.hi, hi, kClose);
}

std::vector<double> sines(int n, double shift, double slope) {
  std::vector<double> x;
  for (int i = 1; i <= n; ++i) x.push_back(std::sin(1.0 * i * i) + shift + slope * i / n);
  return x;
}

TEST(HodgesLehmann, ExactIntervalsAgreeWithScipy) {
  const std::vector<double> six{1.5, 2.25, -0.5, 3.125, 0.75, 4.0};
  expect_estimate(hodges_lehmann(six), 1.875, -0.5, 4.0);
  const std::vector<double> nine{0.012, -0.004, 0.031, 0.007, 0.0195, -0.0113, 0.0252, 0.0023, 0.0161};
  expect_estimate(hodges_lehmann(nine), 0.0109, -0.00085, 0.02235);
  const std::vector<double> many{0.122,   -0.1078, 0.0409, -0.0084, -0.0026, 0.0092,  -0.081,  0.0084,
                                 -0.0233, 0.1861,  0.0313, 0.0024,  0.0059,  -0.0134, -0.0328, 0.0005,
                                 0.0441,  0.0081,  0.0679, 0.01,    0.0212,  0.0973,  0.0473,  -0.0053};
  expect_estimate(hodges_lehmann(many), 0.01115, -0.003, 0.037);
  expect_estimate(hodges_lehmann(many, 0.999), 0.01115, -0.0206, 0.0643);
}

TEST(HodgesLehmann, NormalIntervalsAgreeWithNumpy) {
  expect_estimate(hodges_lehmann(sines(25, 0, 0.1)), -0.04014083397578766, -0.4421368365226139, 0.2464076785229875);
  const auto x = sines(200, 0.25, 0);
  expect_estimate(hodges_lehmann(x), 0.2587604719507114, 0.18066269542152458, 0.3414296864987456);
  expect_estimate(hodges_lehmann(x, 0.999), 0.2587604719507114, 0.10567284389689191, 0.4159088986231489);
}

TEST(HodgesLehmann, TiesAndZerosStay) {
  const std::vector<double> ties{0, 0, 0, 1, 1, 2, 2, -1, 0, 1};
  expect_estimate(hodges_lehmann(ties), 0.5, 0.0, 1.5);
  const std::vector<double> constant(40, -3.25);
  expect_estimate(hodges_lehmann(constant), -3.25, -3.25, -3.25);
  const std::vector<double> zeros(7, 0.0);
  expect_estimate(hodges_lehmann(zeros), 0, 0, 0);
}

TEST(HodgesLehmann, OneOutlierMovesLittle) {
  const std::vector<double> x{0.01, 0.012, 0.009, 0.011, 0.0105, 0.0095, 0.0115, 50.0};
  expect_estimate(hodges_lehmann(x), 0.01075, 0.0095, 25.0055);
}

TEST(HodgesLehmann, FewerThanSixHaveNoBoundsAndNoneHasNothing) {
  const std::vector<double> five{0.1, 0.4, -0.2, 0.3, 0.25};
  const auto estimate = hodges_lehmann(five);
  EXPECT_NEAR(estimate.value, 0.2, kClose);  // median of the fifteen averages
  EXPECT_TRUE(std::isnan(estimate.lo));
  EXPECT_TRUE(std::isnan(estimate.hi));
  EXPECT_EQ(estimate.n, 5U);
  EXPECT_TRUE(std::isnan(hodges_lehmann({}).value));
  const std::vector<double> nine(9, 1.0);
  EXPECT_TRUE(std::isnan(hodges_lehmann(nine, 0.999).lo));  // 2 / 2^9 > 0.001
}

TEST(HodgesLehmann, ShiftAndScaleCarryThrough) {
  const auto x = sines(60, 0, 0);
  const auto base = hodges_lehmann(x);
  std::vector<double> moved;
  for (const double value : x) moved.push_back(4 * value - 1000);
  const auto estimate = hodges_lehmann(moved);
  EXPECT_NEAR(estimate.value, 4 * base.value - 1000, 1e-9);
  EXPECT_NEAR(estimate.lo, 4 * base.lo - 1000, 1e-9);
  EXPECT_NEAR(estimate.hi, 4 * base.hi - 1000, 1e-9);
}

// The bisection against the definition, over sizes, ties and signs.
TEST(HodgesLehmann, EqualsTheMedianOfAllWalshAverages) {
  std::mt19937 generator(11);
  for (std::size_t n = 1; n <= 60; ++n) {
    std::vector<double> x;
    for (std::size_t i = 0; i < n; ++i)
      x.push_back(static_cast<double>(static_cast<int>(generator() % 41) - 20) * (n % 3 == 0 ? 1.0 : 0.37));
    std::vector<double> averages;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) averages.push_back(0.5 * (x[i] + x[j]));
    }
    ASSERT_EQ(hodges_lehmann(x).value, median(averages)) << n;
  }
}

// Most averages are equal, and the range closes in on 0 from both sides.
TEST(HodgesLehmann, ManyEqualAveragesAreNoExceptionAndTakeNoLonger) {
  for (const double equal : {0.0, 1e-300, -3.0}) {
    std::vector<double> x(2'000, equal);
    for (std::size_t i = 0; i < 50; ++i) x[i] = static_cast<double>(i) - 25.0;
    const auto estimate = hodges_lehmann(x);
    EXPECT_EQ(estimate.value, equal);
    EXPECT_EQ(estimate.lo, equal);
    EXPECT_EQ(estimate.hi, equal);
  }
}

TEST(HodgesLehmann, AHundredThousandPairsNeedNoFiveBillionAverages) {
  const auto x = sines(100'000, 0.25, 0);
  const auto estimate = hodges_lehmann(x);
  EXPECT_NEAR(estimate.value, 0.25, 0.01);
  EXPECT_LT(estimate.lo, estimate.value);
  EXPECT_GT(estimate.hi, estimate.value);
}

TEST(StudentT, QuantilesAgreeWithScipy) {
  // scipy.stats.t.ppf(1 - (1 - c) / 2, d)
  EXPECT_TRUE(std::isnan(two_sided_t_quantile(0.95, 0)));
  EXPECT_TRUE(std::isnan(two_sided_t_p(1, 0)) && std::isnan(two_sided_t_p(kNotMeasured, 3)));
  EXPECT_NEAR(two_sided_t_quantile(0.95, 1), 12.706204736174694, 1e-9);
  EXPECT_NEAR(two_sided_t_quantile(0.95, 2), 4.302652729749462, 1e-10);
  EXPECT_NEAR(two_sided_t_quantile(0.95, 3), 3.1824463052837078, 1e-10);
  EXPECT_NEAR(two_sided_t_quantile(0.95, 4), 2.7764451051977934, 1e-10);
  EXPECT_NEAR(two_sided_t_quantile(0.95, 9), 2.262157162798205, 1e-10);
  EXPECT_NEAR(two_sided_t_quantile(0.95, 30), 2.0422724563012378, 1e-10);
  EXPECT_NEAR(two_sided_t_quantile(0.999, 1), 636.6192487687897, 1e-6);
  EXPECT_NEAR(two_sided_t_quantile(0.999, 10), 4.586893858702708, 1e-9);
  EXPECT_NEAR(two_sided_normal_quantile(0.95), 1.959963984540054, 1e-12);
  EXPECT_NEAR(two_sided_normal_quantile(0.999), 3.2905267314919255, 1e-12);
}

TEST(TInterval, AgreesWithScipy) {
  // scipy.stats.t.interval(0.95, 4, loc=mean, scale=sem)
  const std::vector<double> five{0.1, 0.4, -0.2, 0.3, 0.25};
  expect_estimate(t_interval(five), 0.17, -0.11986937903429362, 0.4598693790342936);
  const std::vector<double> one{0.5};
  EXPECT_EQ(t_interval(one).value, 0.5);
  EXPECT_TRUE(std::isnan(t_interval(one).lo));
}

TEST(Quantiles, AgreeWithNumpyAndSayWhatNBears) {
  const std::vector<double> x{1, 2, 4, 8, 16};
  EXPECT_DOUBLE_EQ(quantile_of_sorted(x, 0), 1);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(x, 0.1), 1.4);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(x, 0.5), 4);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(x, 0.95), 14.4);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(x, 1), 16);
  EXPECT_DOUBLE_EQ(median({3, 1, 2, 10}), 2.5);
  EXPECT_TRUE(bears_quantile(6, 0.5) && !bears_quantile(5, 0.5));
  EXPECT_TRUE(bears_quantile(59, 0.95) && !bears_quantile(58, 0.95));
  EXPECT_TRUE(bears_quantile(59, 0.05) && !bears_quantile(58, 0.05));
  EXPECT_TRUE(bears_quantile(299, 0.99) && !bears_quantile(298, 0.99));
  EXPECT_TRUE(bears_quantile(1, 1.0) && !bears_quantile(0, 1.0));
}

// scipy.stats.binom.cdf: 1 of 10 has 0.0107, 2 has 0.0547; 39 of 100 has 0.0176, 40 has 0.0284.
TEST(MedianInterval, OrderStatistics) {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  const auto hundred = median_interval(values, 0.95);
  EXPECT_EQ(hundred.value, 50.5);
  EXPECT_EQ(hundred.lo, 40);
  EXPECT_EQ(hundred.hi, 61);
  values.resize(10);
  EXPECT_EQ(median_interval(values, 0.95).lo, 92);
  EXPECT_EQ(median_interval(values, 0.95).hi, 99);
  values.resize(6);
  EXPECT_EQ(median_interval(values, 0.95).lo, 95);
  values.resize(5);
  EXPECT_TRUE(std::isnan(median_interval(values, 0.95).lo));
}

// Pairs that scatter to one side only: what is asked of another confidence has its own bounds, not the old ones stretched.
TEST(Quantity, AnotherConfidenceInvertsTheTestAnew) {
  std::vector<double> pairs;
  for (int i = 1; i <= 30; ++i) pairs.push_back(std::exp(0.2 * i));
  const auto found = Quantity(Location::kCentre, {pairs}, {}, 0.95).estimate(0.99);
  const auto anew = hodges_lehmann(pairs, 0.99);
  expect_estimate(found, anew.value, anew.lo, anew.hi);
  EXPECT_GT(found.hi - found.value, 1.5 * (found.value - found.lo));
}

// Two launches in each of five cells, whose steps are 1, 2, 4, 8 and 16; what launches differ by is the same time in all, or the same share. How often
// the interval of the shortest and of the longest holds.
std::pair<double, double> held_by_pooling(bool same_time) {
  constexpr int kDraws = 2000;
  const std::vector<double> steps{1, 2, 4, 8, 16};
  std::mt19937 generator(same_time ? 1 : 2);
  std::normal_distribution<double> normal;
  std::vector<int> held(steps.size(), 0);
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<Quantity> cells;
    BetweenLaunches between;
    for (const double step : steps) {
      LaunchPairs launches(2, std::vector<double>(8));
      for (auto& launch : launches) {
        const double shift = (same_time ? 1 : step) * normal(generator);
        for (double& pair : launch) pair = shift + 0.1 * normal(generator);
      }
      cells.emplace_back(Location::kMean, launches, std::span<const double>(), 0.95);
      cells.back().add_to(between, step);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      cells[i].pool(between, steps[i]);
      const auto interval = cells[i].estimate();
      held[i] += interval.lo <= 0 && 0 <= interval.hi ? 1 : 0;
    }
  }
  return {held.front() / double{kDraws}, held.back() / double{kDraws}};
}

TEST(BetweenLaunches, HoldWhetherWhatLaunchesDifferByGrowsWithTheStepOrNot) {
  for (const bool same_time : {true, false}) {
    const auto [shortest, longest] = held_by_pooling(same_time);
    EXPECT_GE(shortest, 0.94) << same_time;
    EXPECT_GE(longest, 0.94) << same_time;
  }
}

TEST(RatioToOne, HasTheErrorOfBothAndKeepsASign) {
  const auto both = ratio_to_one({10, 8, 12, 5}, 0.1);
  EXPECT_NEAR(both.lo, (10 - std::sqrt(100 - 96 * 0.99)) / 0.99, 1e-12);
  EXPECT_NEAR(both.hi, (10 + std::sqrt(100 - 96 * 0.99)) / 0.99, 1e-12);
  EXPECT_NEAR(ratio_to_one({10, 8, 12, 5}, 0).hi, 12, 1e-12);
  EXPECT_EQ(ratio_to_one({10, 0, 20, 5}, 0.1).lo, 0);
  EXPECT_GT(ratio_to_one({10, 0.01, 20, 5}, 0.1).lo, 0);
  EXPECT_TRUE(std::isnan(ratio_to_one({10, kNotMeasured, kNotMeasured, 5}, 0.1).lo));
}

}  // namespace
}  // namespace ddpbench
