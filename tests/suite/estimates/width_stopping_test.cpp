#include "suite/estimates/width_stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

constexpr double kStep = 1e-3;
constexpr double kWantedS = 0.25 * 5e-6;  // a quarter of 0.5 % of a millisecond

// A step of a millisecond whose blocks scatter by so much around `cost_s` more.
std::vector<double> blocks(std::size_t n, double cost_s, double scatter_s, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<double> series;
  for (std::size_t i = 0; i < n; ++i) {
    const double uniform = static_cast<double>(generator()) / static_cast<double>(std::mt19937::max());
    series.push_back(kStep + cost_s + scatter_s * (2 * uniform - 1));
  }
  return series;
}

WidthCheck check(const std::vector<double>& reference_s, const std::vector<std::vector<double>>& arms_s) {
  return WidthStopping(Margin{}).check(reference_s, arms_s, kStep);
}

TEST(Margin, IsAShareButNeverLessThanItsMicroseconds) {
  EXPECT_DOUBLE_EQ(Margin{}.seconds(1e-3), 5e-6);
  EXPECT_DOUBLE_EQ(Margin{}.seconds(1e-4), 2e-6);
  EXPECT_DOUBLE_EQ((Margin{1, 2}.seconds(1e-3)), 10e-6);
}

TEST(WidthStopping, IsAskedEveryTwentyPairsAfterFortyAndRarerBeyondFourHundred) {
  std::vector<std::size_t> early;
  for (std::size_t n = 0; n <= 100; ++n) {
    if (WidthStopping::is_due(n)) early.push_back(n);
  }
  EXPECT_EQ(early, (std::vector<std::size_t>{40, 60, 80, 100}));
  EXPECT_TRUE(WidthStopping::is_due(400) && WidthStopping::is_due(420) && WidthStopping::is_due(441));
  EXPECT_FALSE(WidthStopping::is_due(440));
  const auto checks_between = [](std::size_t begin, std::size_t end) {
    int checks = 0;
    for (auto n = begin; n < end; ++n) checks += WidthStopping::is_due(n) ? 1 : 0;
    return checks;
  };
  EXPECT_EQ(checks_between(100'000, 200'000), 14);  // 20 ln 2: so many a doubling, however long
}

TEST(WidthStopping, StopsWhenEveryArmIsNarrowWhateverItsCost) {
  const auto raw = blocks(200, 0, 0.5e-6, 1);
  const auto again = blocks(200, 0, 0.5e-6, 2);
  const auto trainer = blocks(200, 50e-6, 0.5e-6, 3);
  const auto noisy = blocks(200, 0, 50e-6, 4);
  EXPECT_TRUE(check(raw, {again, trainer}).narrow_enough());
  EXPECT_FALSE(check(raw, {again, trainer, noisy}).narrow_enough());
  EXPECT_FALSE(check(raw, {noisy, trainer}).narrow_enough());
}

TEST(WidthStopping, TheWidthIsThatOfTheReportedInterval) {
  const auto raw = blocks(60, 0, 2e-6, 5);
  const auto arm = blocks(60, 1e-6, 2e-6, 6);
  std::vector<double> differences;
  for (std::size_t i = 0; i < raw.size(); ++i) differences.push_back(arm[i] - raw[i]);
  const auto estimate = hodges_lehmann(differences);
  const auto found = check(raw, {arm});
  EXPECT_EQ(found.half_widths_s.at(0), 0.5 * (estimate.hi - estimate.lo));
  EXPECT_DOUBLE_EQ(found.wanted_s, kWantedS);
}

TEST(WidthStopping, BlocksWithoutAValueAreNoPairs) {
  auto raw = blocks(60, 0, 0.1e-6, 7);
  auto arm = blocks(60, 0, 0.1e-6, 8);
  for (std::size_t i = 0; i < 10; ++i) raw[i] = arm[59 - i] = kNotMeasured;
  EXPECT_TRUE(check(raw, {arm}).narrow_enough());  // forty are left
  raw[10] = kNotMeasured;
  EXPECT_TRUE(std::isnan(check(raw, {arm}).half_widths_s.at(0)));
  EXPECT_FALSE(check(raw, {arm}).narrow_enough());
}

TEST(WidthStopping, WithoutAnArmOrAValueItNeverStops) {
  const auto raw = blocks(60, 0, 0.1e-6, 9);
  const std::vector<double> nothing(60, kNotMeasured);
  EXPECT_FALSE(check(raw, {}).narrow_enough());
  EXPECT_FALSE(check(raw, {nothing}).narrow_enough());
  EXPECT_FALSE(check(nothing, {raw}).narrow_enough());
  EXPECT_FALSE(check({}, {{}}).narrow_enough());
}

}  // namespace
}  // namespace ddpbench
