#include "reports/analysis/findings/sizes/size_model.hpp"

#include <gtest/gtest.h>

#include <random>

#include "suite/estimates/nonnegative_fit.hpp"
#include "tests/reports/analysis/scaling_truth.hpp"

namespace ddpbench {
namespace {

TEST(NonnegativeFit, FindsTermsAndLeavesOutWhatExplainsNothing) {
  std::vector<FitRow> rows;
  for (int i = 1; i <= 6; ++i) rows.push_back({{1, static_cast<double>(i), 1.0 / i}, 0.5 + 0.1 * i});
  const auto fit = fit_nonnegative(rows, 1e-3);
  EXPECT_EQ(fit.terms, 2U);
  EXPECT_NEAR(fit.coefficients[0], 0.5, 1e-9);
  EXPECT_NEAR(fit.coefficients[1], 0.1, 1e-9);
  EXPECT_EQ(fit.coefficients[2], 0);
  EXPECT_NEAR(fit.at(std::vector<double>{1, 10, 0.1}), 1.5, 1e-9);
}

TEST(NonnegativeFit, NoCoefficientIsNegative) {
  const std::vector<FitRow> rows{{{1, 1}, 1.0}, {{1, 2}, 0.9}, {{1, 3}, 0.8}};
  const auto fit = fit_nonnegative(rows, 1e-3);
  EXPECT_EQ(fit.coefficients[1], 0);
  EXPECT_NEAR(fit.coefficients[0], 0.9, 1e-9);
}

TEST(NonnegativeFit, TheLeverageOfAMeanIsOneOverN) {
  const std::vector<FitRow> rows{{{1}, 1}, {{1}, 1.1}, {{1}, 0.9}, {{1}, 1}};
  EXPECT_NEAR(fit_nonnegative(rows, 1e-3).leverage(std::vector<double>{1}), 0.25, 1e-12);
  EXPECT_EQ(fit_nonnegative({}, 1e-3).terms, 0U);
}

TEST(SizeModel, TheLargestOfSeveralNormalVariables) {
  EXPECT_EQ(mean_of_largest(1), 0);
  EXPECT_NEAR(mean_of_largest(2), 0.564, 0.03);  // David & Nagaraja 2003, 4.1: 1 / sqrt(pi)
  EXPECT_NEAR(mean_of_largest(10), 1.539, 0.01);
  EXPECT_NEAR(mean_of_largest(1000), 3.241, 0.02);
}

// Parts that are known: 10 ms of compute, a ring of 100 us a message, a skew of 2 %.
SizePoint known(std::int64_t ranks, std::int64_t batch = 8) {
  SizePoint point;
  point.size = {ranks, ranks, batch};
  point.mean_useful_s = 0.002 + 0.001 * static_cast<double>(batch);
  point.max_useful_s = point.mean_useful_s + 2e-4 * mean_of_largest(ranks);
  point.step_s = point.max_useful_s + 1e-4 * 2 * static_cast<double>(ranks - 1);
  return point;
}

TEST(SizeModel, PredictsFromPartsThatItHasMeasured) {
  const std::vector<SizePoint> points{known(1), known(2), known(3), known(4)};
  const SizeModel model(points, CollectiveShape::kRing, 0.95);
  const auto truth = known(16);
  const auto predicted = model.at(truth.size);
  EXPECT_NEAR(predicted.step_s.value, truth.step_s, 0.01 * truth.step_s);
  EXPECT_NEAR(predicted.compute_s, 0.010, 1e-6);
  EXPECT_NEAR(predicted.skew_s, 2e-4 * mean_of_largest(16), 1e-6);
  EXPECT_NEAR(predicted.exposed_s, 30e-4, 1e-5);
  EXPECT_LT(predicted.step_s.lo, truth.step_s);
  EXPECT_GT(predicted.step_s.hi, truth.step_s);
}

TEST(SizeModel, StrongScalingHasComputeByTheBatch) {
  const std::vector<SizePoint> points{known(1, 64), known(2, 32), known(4, 16)};
  const SizeModel model(points, CollectiveShape::kRing, 0.95);
  const auto truth = known(8, 8);
  EXPECT_NEAR(model.at(truth.size).compute_s, truth.mean_useful_s, 1e-6);
  EXPECT_NEAR(model.at(truth.size).step_s.value, truth.step_s, 0.02 * truth.step_s);
}

TEST(SizeModel, SaysWhatItCannotKnow) {
  const std::vector<SizePoint> on_one_node{{{1, 1, 8}, 0.1}, {{1, 2, 8}, 0.11}};
  const SizeModel model(on_one_node, CollectiveShape::kTree, 0.95);
  EXPECT_NE(model.why_not({2, 8, 8}).find("no size on several nodes"), std::string::npos);
  EXPECT_NE(model.why_not({1, 4, 4}).find("one batch size per rank"), std::string::npos);
  EXPECT_EQ(model.why_not({1, 4, 8}), "");
}

// How often a size beyond the measured ones is held, and by how wide an interval (half of it, as a share), where sizes are known to `error`.
struct Beyond {
  double held = 0, half_width = 0;
};
Beyond beyond(double (*step_s)(double ranks), const std::vector<std::int64_t>& sizes, std::int64_t target, double error) {
  constexpr int kDraws = 200;
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  Beyond found;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<SizePoint> points;
    for (const auto ranks : sizes) {
      SizePoint point;
      point.size = {1, ranks, 8};
      point.step_s = step_s(static_cast<double>(ranks)) * std::exp(error * normal(generator));
      points.push_back(point);
    }
    const SizeModel model(points, CollectiveShape::kRing, 0.95);
    const auto predicted = model.at({1, target, 8});
    const double truth_s = step_s(static_cast<double>(target));
    found.held += predicted.step_s.lo <= truth_s && truth_s <= predicted.step_s.hi ? 1.0 / kDraws : 0;
    found.half_width += 0.5 * (predicted.step_s.hi - predicted.step_s.lo) / predicted.step_s.value / kDraws;
  }
  return found;
}

double ring_of_60_percent(double ranks) { return 0.010 + 6e-4 * 2 * (ranks - 1); }
double a_few_percent(double ranks) { return 0.010 + 1e-4 * 2 * (ranks - 1); }
double congested(double ranks) { return 0.010 + 2e-4 * (std::pow(ranks, 1.5) - 1); }

// The interval knows when the model is right, and is wide where the measured sizes do not tell how communication grows.
TEST(SizeModel, HoldsWhatLiesBeyondTheMeasuredSizes) {
  const std::vector<std::int64_t> four{1, 2, 4, 8}, five{1, 2, 4, 8, 16};
  for (const double error : {0.005, 0.02}) {
    EXPECT_GE(beyond(ring_of_60_percent, four, 16, error).held, 0.93) << error;
    EXPECT_GE(beyond(ring_of_60_percent, five, 64, error).held, 0.93) << error;
    EXPECT_GE(beyond(a_few_percent, four, 16, error).held, 0.93) << error;
    EXPECT_GE(beyond(a_few_percent, four, 32, error).held, 0.93) << error;
    EXPECT_GE(beyond(congested, four, 16, error).held, 0.93) << error << ": it was none of thirty";
    EXPECT_GE(beyond(congested, four, 32, error).held, 0.9) << error;
  }
  EXPECT_LE(beyond(ring_of_60_percent, five, 32, 0.005).half_width, 0.06) << "it was 0.13";
  EXPECT_LE(beyond(a_few_percent, four, 16, 0.005).half_width, 0.25) << "it was 0.35";
  EXPECT_GE(beyond(a_few_percent, four, 32, 0.005).half_width, 0.2) << "congestion may begin behind the largest size";
}

// One size of the made-up cluster, the mean of `launches`.
SizePoint measured(const test::ScalingTruth& truth, std::int64_t ranks, std::mt19937& generator) {
  constexpr int kLaunches = 3;
  double sum_s = 0;
  for (int launch = 0; launch < kLaunches; ++launch) {
    const auto factors = test::rank_factors(truth, ranks, generator);
    sum_s += truth.compute_s() * *std::max_element(factors.begin(), factors.end()) + truth.exposed_s(ranks);
  }
  SizePoint point;
  point.size = {truth.nodes(ranks), ranks, 64};
  point.step_s = sum_s / kLaunches;
  return point;
}

// On clusters whose network hides behind backward, hardly does, and does not at all.
TEST(SizeModel, PredictsHeldOutSizesOfAMadeUpCluster) {
  int predictions = 0, inside = 0, within_five_percent = 0;
  for (const double network : {4e9, 11e9, 25e9}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      test::ScalingTruth truth;
      truth.network_bytes_per_s = network;
      std::mt19937 generator(seed);
      std::vector<SizePoint> all;
      for (std::int64_t ranks = 1; ranks <= 1024; ranks *= 2) all.push_back(measured(truth, ranks, generator));
      for (std::size_t out = 0; out < all.size(); ++out) {
        auto others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
        const SizeModel model(others, CollectiveShape::kTree, 0.95);
        ASSERT_EQ(model.why_not(all[out].size), "");
        const auto predicted = model.at(all[out].size);
        ++predictions;
        inside += predicted.step_s.lo <= all[out].step_s && all[out].step_s <= predicted.step_s.hi;
        within_five_percent += std::fabs(predicted.step_s.value / all[out].step_s - 1) <= 0.05;
      }
    }
  }
  RecordProperty("inside", inside);
  RecordProperty("within_five_percent", within_five_percent);
  EXPECT_GE(inside, predictions * 93 / 100) << "of " << predictions;
  EXPECT_GE(within_five_percent, predictions * 93 / 100) << "of " << predictions;
}

}  // namespace
}  // namespace ddpbench
