#include "harness/measure/end_rule.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "suite/base/errors.hpp"
#include "suite/base/not_measured.hpp"
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

EndRule rule_of(const LaunchSpec& spec, OverRanks over_ranks = OverRanks::kMean) {
  return {spec, arm_facts(test::two_family_vocabulary(), spec.arms), over_ranks};
}

// One rank's report in which arm i takes steps_s[i] at every step, and the user waits for no more.
SuperBlockReport steady(const std::vector<double>& steps_s, bool disturbed = false) {
  SuperBlockReport report{disturbed, {}, steps_s};
  for (const double step_s : steps_s) report.steps_s.emplace_back(4, step_s);
  return report;
}

void add(EndRule& rule, const SuperBlockReport& report, int times) {
  for (int i = 0; i < times; ++i) rule.add({report});
}

TEST(SuperBlockReport, PassesThroughItsPayload) {
  const SuperBlockReport report{true, {{0.25, 1e-9}, {}, {0.5}}, {0.75, kNotMeasured, 1}};
  const auto read = report_from_payload(to_payload(report));
  EXPECT_TRUE(read.disturbed);
  EXPECT_EQ(read.steps_s, report.steps_s);
  EXPECT_THAT(read.waits_s, testing::ElementsAre(0.75, testing::IsNan(), 1));
  EXPECT_THROW(report_from_payload("0;1.5 zebra"), Error);
  EXPECT_THROW(report_from_payload("0;"), Error);
}

TEST(EndRule, EndsAtTheFirstCheckWhereNothingScatters) {
  auto rule = rule_of(spec_of({"raw", "raw_again", "trainer"}));
  add(rule, steady({1e-3, 1e-3, 1.1e-3}), 39);
  EXPECT_EQ(rule.end(1), End::kNotYet);
  rule.add({steady({1e-3, 1e-3, 1.1e-3})});
  EXPECT_EQ(rule.end(1), End::kNarrow);
}

TEST(EndRule, GoesOnWhileAnIntervalIsWide) {
  auto rule = rule_of(spec_of({"raw", "trainer"}));
  for (int i = 0; i < 200; ++i) rule.add({steady({1e-3, 1e-3 + 1e-4 * (i * 7 % 13)})});
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
      rule.add({{false, {{1e-3, 1e-3, 1e-3, 1e-3}, {1.1e-3 + hit, 1.1e-3, 1.1e-3 + hit, 1.1e-3 + hit}}, {1e-3, 1e-3}}});
    }
    EXPECT_EQ(rule.end(1), fastest ? End::kNarrow : End::kNotYet);
  }
}

TEST(EndRule, DoesNotWaitForTheInjectedArm) {
  auto rule = rule_of(spec_of({"raw", "raw_again", "injected"}));
  for (int i = 0; i < 40; ++i) rule.add({steady({1e-3, 1e-3, 1e-3 + 1e-4 * (i * 7 % 13)})});
  EXPECT_EQ(rule.end(1), End::kNarrow);
}

TEST(EndRule, DoesNotWaitForAnArmWithoutTimers) {
  auto rule = rule_of(spec_of({"raw", "raw_again", "raw-timers-nvtx"}));
  SuperBlockReport report = steady({1e-3, 1e-3});
  report.steps_s.emplace_back();
  report.waits_s.push_back(kNotMeasured);
  add(rule, report, 40);
  EXPECT_EQ(rule.end(1), End::kNarrow);
}

TEST(EndRule, ComparesTheSlowestRanksStepsOnADeviceAndTheMeanOverRanksOnTheCpu) {
  auto device = rule_of(spec_of({"raw", "trainer"}), OverRanks::kSlowest);
  auto cpu = rule_of(spec_of({"raw", "trainer"}), OverRanks::kMean);
  const auto slow = steady({2e-3, 2e-3});
  for (int i = 0; i < 40; ++i) {
    const auto scattered = steady({1e-3 + 1e-4 * (i * 7 % 9), 1e-3});
    device.add({scattered, slow});
    cpu.add({scattered, slow});
  }
  EXPECT_EQ(device.end(1), End::kNarrow) << "rank 1 is the slowest at every step, and it does not scatter";
  EXPECT_EQ(cpu.end(1), End::kNotYet) << "what rank 0 does counts";
}

TEST(EndRule, DoesNotWaitForProbes) {
  for (const auto* arm : {"raw+ideal", "raw-nvtx"}) {
    auto rule = rule_of(spec_of({"raw", "raw_again", arm}));
    for (int i = 0; i < 40; ++i) rule.add({steady({1e-3, 1e-3, 1e-3 + 1e-4 * (i * 7 % 13)})});
    EXPECT_EQ(rule.end(1), End::kNarrow) << arm;
  }
}

TEST(EndRule, TheMarginIsTheLaunchs) {
  auto spec = spec_of({"raw", "trainer"});
  spec.protocol.margin_us = 4000;
  auto rule = rule_of(spec);
  for (int i = 0; i < 40; ++i) rule.add({steady({1e-3, 1e-3 + 1e-4 * (i * 7 % 13)})});
  EXPECT_EQ(rule.end(1), End::kNarrow) << "some 100 us of half-width are below 4000 / 4";
}

// As in the report: 0.5 % of what the user waits for, of which the host's work may be a small part.
TEST(EndRule, TheMarginIsAShareOfWhatTheUserWaitsForOnTheSlowestRank) {
  const auto end_after = [](double wait_s) {
    auto rule = rule_of(spec_of({"raw", "trainer"}));
    for (int i = 0; i < 40; ++i) {
      auto report = steady({1e-3, 1e-3 + 1e-5 * (i * 7 % 13)});  // some 10 us of half-width
      auto slower = report;
      slower.waits_s = {wait_s, wait_s};
      rule.add({report, slower});
    }
    return rule.end(1);
  };
  EXPECT_EQ(end_after(1e-3), End::kNotYet);
  EXPECT_EQ(end_after(20e-3), End::kNarrow);
}

TEST(EndRule, WaitsUntilEveryFamilyIsNarrow) {
  const auto scattered = [](int i) { return 1e-3 + 1e-4 * (i * 7 % 13); };
  // The steps of py_raw scatter with those of its subject: against raw they would be wide.
  auto narrow = rule_of(spec_of({"raw", "trainer", "py_raw", "py_lightning", "py_injected"}));
  for (int i = 0; i < 40; ++i) narrow.add({steady({1e-3, 1e-3, scattered(i), scattered(i), 1e-3})});
  EXPECT_EQ(narrow.end(1), End::kNarrow);
  auto wide = rule_of(spec_of({"raw", "trainer", "py_raw", "py_lightning"}));
  for (int i = 0; i < 40; ++i) wide.add({steady({1e-3, 1e-3, 1e-3, scattered(i)})});
  EXPECT_EQ(wide.end(1), End::kNotYet);
}

TEST(EndRule, NeverEndsBeforeTheFewestSuperBlocks) {
  auto spec = spec_of({"raw", "trainer"});
  spec.protocol.min_super_blocks = 50;
  auto rule = rule_of(spec);
  add(rule, steady({1e-3, 1e-3}), 49);
  EXPECT_EQ(rule.end(1000), End::kNotYet);
  rule.add({steady({1e-3, 1e-3})});
  EXPECT_EQ(rule.end(1000), End::kLate);
}

TEST(EndRule, RepeatsDisturbedSuperBlocksUpToTwice) {
  auto rule = rule_of(spec_of({"raw"}));
  add(rule, steady({1e-3}, true), 3);
  add(rule, steady({1e-3}), 5);
  EXPECT_EQ(rule.end(1000), End::kNotYet) << "five undisturbed ones of six";
  rule.add({steady({1e-3}), steady({1e-3}, true)});
  EXPECT_EQ(rule.disturbed(), 4) << "by any rank";
  EXPECT_EQ(rule.end(1000), End::kNotYet);
  add(rule, steady({1e-3}, true), 3);
  EXPECT_EQ(rule.end(1000), End::kLate) << "twelve are twice six";
}

TEST(EndRule, MaxSuperBlocksIsAtMost) {
  auto spec = spec_of({"raw"});
  spec.protocol.min_super_blocks = spec.protocol.max_super_blocks = 8;
  auto rule = rule_of(spec);
  add(rule, steady({1e-3}, true), 8);
  EXPECT_EQ(rule.end(0), End::kFull);
}

}  // namespace
}  // namespace ddpbench
