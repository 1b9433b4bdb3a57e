#include "harness/measure/blocks/end_rule.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

LaunchSpec spec_of(std::vector<std::string> arms) {
  LaunchSpec spec;
  spec.arms = std::move(arms);
  spec.protocol.max_seconds_per_launch = 100;
  spec.protocol.min_super_blocks = 6;
  return spec;
}

EndRule rule_of(const LaunchSpec& spec) { return {spec, arm_facts(test::two_family_vocabulary(), spec.arms)}; }

using Steps = std::vector<std::vector<double>>;  // by arm

// A super-block in which arm i takes steps_s[i] at every step.
Steps steady(const std::vector<double>& steps_s) {
  Steps steps;
  for (const double step_s : steps_s) steps.emplace_back(4, step_s);
  return steps;
}

void add(EndRule& rule, const Steps& steps, int times, bool disturbed = false) {
  for (int i = 0; i < times; ++i) rule.add(disturbed, steps);
}

TEST(EndRule, EndsAtTheFirstCheckWhereNothingScatters) {
  auto rule = rule_of(spec_of({"raw", "raw_again", "trainer"}));
  add(rule, steady({1e-3, 1e-3, 1.1e-3}), 39);
  EXPECT_EQ(rule.end(1), End::kNotYet);
  rule.add(false, steady({1e-3, 1e-3, 1.1e-3}));
  EXPECT_EQ(rule.end(1), End::kNarrow);
}

TEST(EndRule, GoesOnWhileAnIntervalIsWide) {
  auto rule = rule_of(spec_of({"raw", "trainer"}));
  for (int i = 0; i < 200; ++i) rule.add(false, steady({1e-3, 1e-3 + 1e-4 * (i * 7 % 13)}));
  EXPECT_EQ(rule.end(1), End::kNotYet);
  EXPECT_EQ(rule.end(100), End::kLate);
}

// Its steps but the fastest are hit by others.
TEST(EndRule, LooksAtFastestStepsWhereCostsAreOfThem) {
  auto spec = spec_of({"raw", "trainer"});
  for (const bool fastest : {false, true}) {
    spec.protocol.fastest_step = fastest;
    auto rule = rule_of(spec);
    for (int i = 0; i < 200; ++i) {
      const double hit = 1e-4 * (i * 7 % 13);
      rule.add(false, {{1e-3, 1e-3, 1e-3, 1e-3}, {1.1e-3 + hit, 1.1e-3, 1.1e-3 + hit, 1.1e-3 + hit}});
    }
    EXPECT_EQ(rule.end(1), fastest ? End::kNarrow : End::kNotYet);
  }
}

TEST(EndRule, DoesNotWaitForTheInjectedArm) {
  auto rule = rule_of(spec_of({"raw", "raw_again", "injected"}));
  for (int i = 0; i < 40; ++i) rule.add(false, steady({1e-3, 1e-3, 1e-3 + 1e-4 * (i * 7 % 13)}));
  EXPECT_EQ(rule.end(1), End::kNarrow);
}

TEST(EndRule, DoesNotWaitForAnArmWithoutTimers) {
  auto rule = rule_of(spec_of({"raw", "raw_again", "raw-timers-nvtx"}));
  auto steps = steady({1e-3, 1e-3});
  steps.emplace_back();
  add(rule, steps, 40);
  EXPECT_EQ(rule.end(1), End::kNarrow);
}

TEST(EndRule, DoesNotWaitForProbes) {
  for (const auto* arm : {"raw+ideal", "raw-nvtx"}) {
    auto rule = rule_of(spec_of({"raw", "raw_again", arm}));
    for (int i = 0; i < 40; ++i) rule.add(false, steady({1e-3, 1e-3, 1e-3 + 1e-4 * (i * 7 % 13)}));
    EXPECT_EQ(rule.end(1), End::kNarrow) << arm;
  }
}

TEST(EndRule, TheMarginIsTheLaunchs) {
  auto spec = spec_of({"raw", "trainer"});
  spec.protocol.margin_us = 4000;
  auto rule = rule_of(spec);
  for (int i = 0; i < 40; ++i) rule.add(false, steady({1e-3, 1e-3 + 1e-4 * (i * 7 % 13)}));
  EXPECT_EQ(rule.end(1), End::kNarrow) << "some 100 us of half-width are below 4000 / 4";
}

// As in the report: 0.5 % of the step.
TEST(EndRule, TheMarginIsAShareOfTheStep) {
  const auto end_after = [](double step_s) {
    auto rule = rule_of(spec_of({"raw", "trainer"}));
    for (int i = 0; i < 40; ++i) rule.add(false, steady({step_s, step_s + 1e-5 * (i * 7 % 13)}));  // some 10 us of half-width
    return rule.end(1);
  };
  EXPECT_EQ(end_after(1e-3), End::kNotYet);
  EXPECT_EQ(end_after(20e-3), End::kNarrow);
}

TEST(EndRule, WaitsUntilEveryFamilyIsNarrow) {
  const auto scattered = [](int i) { return 1e-3 + 1e-4 * (i * 7 % 13); };
  // The steps of py_raw scatter with those of its subject: against raw they would be wide.
  auto narrow = rule_of(spec_of({"raw", "trainer", "py_raw", "py_lightning", "py_injected"}));
  for (int i = 0; i < 40; ++i) narrow.add(false, steady({1e-3, 1e-3, scattered(i), scattered(i), 1e-3}));
  EXPECT_EQ(narrow.end(1), End::kNarrow);
  auto wide = rule_of(spec_of({"raw", "trainer", "py_raw", "py_lightning"}));
  for (int i = 0; i < 40; ++i) wide.add(false, steady({1e-3, 1e-3, 1e-3, scattered(i)}));
  EXPECT_EQ(wide.end(1), End::kNotYet);
}

TEST(EndRule, NeverEndsBeforeTheFewestSuperBlocks) {
  auto spec = spec_of({"raw", "trainer"});
  spec.protocol.min_super_blocks = 50;
  auto rule = rule_of(spec);
  add(rule, steady({1e-3, 1e-3}), 49);
  EXPECT_EQ(rule.end(1000), End::kNotYet);
  rule.add(false, steady({1e-3, 1e-3}));
  EXPECT_EQ(rule.end(1000), End::kLate);
}

TEST(EndRule, RepeatsDisturbedSuperBlocksUpToTwice) {
  auto rule = rule_of(spec_of({"raw"}));
  add(rule, steady({1e-3}), 3, true);
  add(rule, steady({1e-3}), 5);
  EXPECT_EQ(rule.end(1000), End::kNotYet) << "five undisturbed ones of six";
  rule.add(true, steady({1e-3}));
  EXPECT_EQ(rule.disturbed(), 4);
  EXPECT_EQ(rule.end(1000), End::kNotYet);
  add(rule, steady({1e-3}), 3, true);
  EXPECT_EQ(rule.end(1000), End::kLate) << "twelve are twice six";
}

TEST(EndRule, MaxSuperBlocksIsAtMost) {
  auto spec = spec_of({"raw"});
  spec.protocol.min_super_blocks = spec.protocol.max_super_blocks = 8;
  auto rule = rule_of(spec);
  add(rule, steady({1e-3}), 8, true);
  EXPECT_EQ(rule.end(0), End::kFull);
}

}  // namespace
}  // namespace ddpbench
