#include "suite/estimates/repetitions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ddpbench {
namespace {

using Values = std::vector<std::map<std::int64_t, double>>;

// Montgomery, Design and Analysis of Experiments, example 4.1: four tips on four coupons (hardness; 9.3, 9.4, 9.2, 9.7 and so on).
const Values kHardness{{{1, 9.3}, {2, 9.4}, {3, 9.6}, {4, 10.0}},
                       {{1, 9.4}, {2, 9.3}, {3, 9.8}, {4, 9.9}},
                       {{1, 9.2}, {2, 9.4}, {3, 9.5}, {4, 9.7}},
                       {{1, 9.7}, {2, 9.6}, {3, 10.0}, {4, 10.2}}};

// There the residuals' mean square is 0.00889 with 9 degrees of freedom; t(0.975, 9) = 2.262157.
TEST(Repetitions, ATextbooksBlocks) {
  const Repetitions tips(kHardness);
  const auto difference = tips.difference(3, 0);
  EXPECT_NEAR(difference.value, 0.3, 1e-12);
  EXPECT_NEAR(difference.hi - difference.value, 2.262157 * std::sqrt(2 * 0.0088888889 / 4), 1e-6);
  EXPECT_EQ(difference.n, 4U);
  EXPECT_NEAR(tips.level(0).value, 9.575, 1e-12);
}

TEST(Repetitions, OneTellsNoInterval) {
  const Repetitions alone({{{0, 1.0}}, {{0, 2.0}}});
  EXPECT_EQ(alone.difference(1, 0).value, 1);
  EXPECT_TRUE(std::isnan(alone.difference(1, 0).lo));
  EXPECT_TRUE(std::isnan(alone.level(0).hi));
  EXPECT_TRUE(std::isnan(alone.p_above(1, 0)));
  EXPECT_TRUE(std::isnan(Repetitions({{{0, 1.0}}, {{1, 2.0}}}).difference(1, 0).lo)) << "none in common";
}

// Jobs of their own: R, t.test(c(5, 7, 6), c(1, 2, 3, 2)) has df = 3.9496 and the interval [2.2, 5.8]; degrees are rounded down, to 3.
TEST(Repetitions, WithoutOneInCommonAreComparedAsIndependentOnes) {
  const Repetitions jobs({{{0, 5.0}, {1, 7.0}, {2, 6.0}}, {{3, 1.0}, {4, 2.0}, {5, 3.0}, {6, 2.0}}});
  const auto difference = jobs.difference(0, 1);
  EXPECT_EQ(difference.value, 4);
  EXPECT_NEAR(difference.hi - 4, 3.182446 * std::sqrt(1.0 / 3 + (2.0 / 3) / 4), 1e-5);
  EXPECT_LT(jobs.p_above(0, 1), 0.01);
}

TEST(Repetitions, ATreatmentThatFailedTakesNothingFromTheOthers) {
  const Values two{{{0, 1.0}, {1, 2.0}, {2, 3.0}}, {{0, 2.1}, {1, 2.9}, {2, 4.05}}};
  auto four = two;
  four.push_back({});
  four.push_back({{0, 9.0}});
  EXPECT_EQ(Repetitions(four).difference(1, 0).hi, Repetitions(two).difference(1, 0).hi);
  EXPECT_TRUE(std::isfinite(Repetitions(four).difference(3, 0).hi)) << "by the scatter of the others";
  EXPECT_TRUE(std::isnan(Repetitions(four).difference(2, 0).value));
}

// Treatments that are equal, repetitions that drift by so many times the chance.
struct Held {
  int level = 0, difference = 0, above = 0;
};
Held held(std::size_t treatments, std::int64_t repetitions, double drifts, int draws) {
  std::mt19937 generator(static_cast<unsigned>(100 * treatments) + static_cast<unsigned>(repetitions));
  std::normal_distribution<double> normal;
  Held found;
  for (int draw = 0; draw < draws; ++draw) {
    Values values(treatments);
    for (std::int64_t repetition = 0; repetition < repetitions; ++repetition) {
      const double drift = drifts * normal(generator);
      for (auto& treatment : values) treatment[repetition] = drift + normal(generator);
    }
    const Repetitions drawn(values);
    const auto level = drawn.level(0), difference = drawn.difference(1, 0);
    found.level += level.lo <= 0 && 0 <= level.hi ? 1 : 0;
    found.difference += difference.lo <= 0 && 0 <= difference.hi ? 1 : 0;
    found.above += drawn.p_above(1, 0) < 0.025 ? 1 : 0;
  }
  return found;
}

TEST(Repetitions, HoldTheirConfidence) {
  using Design = std::pair<std::size_t, std::int64_t>;
  for (const auto& [treatments, repetitions] : std::vector<Design>{{2, 2}, {4, 2}, {3, 3}, {2, 5}, {4, 8}}) {
    for (const double drifts : {0.0, 1.0, 10.0}) {
      SCOPED_TRACE(testing::Message() << treatments << " treatments, " << repetitions << " repetitions, drift " << drifts);
      const auto found = held(treatments, repetitions, drifts, 4000);
      EXPECT_NEAR(found.difference / 4000.0, 0.95, 0.011);
      EXPECT_NEAR(found.above / 4000.0, 0.025, 0.008);
      EXPECT_GE(found.level / 4000.0, 0.93) << "Satterthwaite's degrees of freedom are approximate";
    }
  }
}

}  // namespace
}  // namespace ddpbench
