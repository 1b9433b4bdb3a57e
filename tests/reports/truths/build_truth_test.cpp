// Two builds of known truth: what the comparison says of an arm, and of steps, that wait longer in the new one.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "reports/analysis/regression/build_comparison.hpp"
#include "tests/reports/truths/cases.hpp"
#include "tests/support/binomial_bound.hpp"

namespace ddpbench {
namespace {

constexpr int kComparisons = 40;
constexpr double kPassByChance = 0.05;
constexpr double kThresholdPercent = 2;  // of a step of 620 us: 12.4 us
constexpr double kPlantedUs = 30;

// Six launches of 40 pairs on each side.
Study build(std::uint64_t seed, std::function<double(const StepPlace&)> waited_us) {
  CampaignPlan plan;
  plan.launches = 6;
  plan.super_blocks = 40;
  plan.noise.arm_by_launch_sd = 0.0025;
  if (waited_us) plan.effect.waited_us = std::move(waited_us);
  return campaign(plan, seed);
}

// How often each row of `what` of `arm` ended as each gate, by clock; those that count, of all clocks, under "".
using Ends = std::map<std::string, std::map<std::string, int>>;
Ends ends_of(const char* what, const std::string& arm, const std::function<double(const StepPlace&)>& waited_us) {
  ComparisonRule rule;
  rule.threshold_percent = kThresholdPercent;
  rule.in_turn = true;
  rule.primary_clock = Clock::kAwaited;
  Ends ends;
  for (std::uint64_t seed = 1; seed <= kComparisons; ++seed) {
    const auto base = launch_values(build(2 * seed, {})), fresh = launch_values(build(2 * seed + 1, waited_us));
    for (const auto& row : compare_builds(base, fresh, {}, rule).rows) {
      if (row.what != what || row.arm != arm) continue;
      ++ends[row.clock][row.gate];
      if (row.counts) ++ends[""][row.gate];
    }
  }
  int judged = 0;
  for (const auto& [end, count] : ends[""]) judged += count;
  EXPECT_EQ(judged, kComparisons) << "one row a comparison counts";
  return ends;
}

int most_by_chance() { return binomial_bound(kComparisons, kPassByChance); }

TEST(BuildTruth, AnArmThatWaitsLongerDoesNotPass) {
  auto ends =
      ends_of(compared_what::kCost, "trainer", [](const StepPlace& at) { return at.arm == "trainer" ? kPlantedUs : 0.0; });
  EXPECT_GE(ends[""][gate::kRegression], kComparisons - most_by_chance());
  for (const auto* clock : {"", "awaited", "wall", "thread_cpu"}) EXPECT_LE(ends[clock][gate::kPass], most_by_chance()) << clock;
}

TEST(BuildTruth, StepsThatWaitLongerDoNotPass) {
  auto ends = ends_of(compared_what::kStep, "raw", [](const StepPlace& /*at*/) { return kPlantedUs; });
  for (const auto* clock : {"", "awaited", "wall", "thread_cpu"}) EXPECT_LE(ends[clock][gate::kPass], most_by_chance()) << clock;
  EXPECT_GE(ends[""][gate::kRegression], kComparisons / 2);
}

TEST(BuildTruth, TheSameBuildTwiceIsNoRegression) {
  auto ends = ends_of(compared_what::kCost, "trainer", {});
  EXPECT_LE(ends[""][gate::kRegression], most_by_chance());
  EXPECT_GE(ends[""][gate::kPass], kComparisons / 2);
}

}  // namespace
}  // namespace ddpbench
