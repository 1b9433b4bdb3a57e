// Folders of known truth, one test for each line of what was once wrong or mute. Seeds are fixed; bounds are such that chance breaks one of a
// thousand tests (binomial_bound). Rates to a percent take a thousand campaigns a case: print_truths, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "reports/analysis/findings/carry_over.hpp"
#include "reports/analysis/findings/sizes/step_time_law.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "suite/contract/status.hpp"
#include "tests/reports/truths/cases.hpp"
#include "tests/support/binomial_bound.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

constexpr int kCampaigns = 40;
constexpr double kMiss = 0.05;  // of an interval of 95 %

TruthTally of(const std::string& name, int campaigns = kCampaigns) { return tally(truth_case(name), campaigns); }

OverheadRow trainer_of(const std::string& name, std::uint64_t seed = 1) {
  return row_of(overhead_rows(campaign(truth_case(name).plan, seed)), "trainer");
}

int falsely_different(const TruthTally& tally) { return tally.of(verdict::kSlower) + tally.of(verdict::kFaster); }

TEST(Truth, NothingIsNeverCalledSomethingAndNeverMute) {
  for (const auto* name : {"nothing, mild noise", "nothing, full noise"}) {
    const auto found = of(name);
    EXPECT_LE(falsely_different(found), binomial_bound(kCampaigns, 0.02)) << name;
    EXPECT_EQ(found.of(verdict::kUnmeasurable), 0) << name;
    EXPECT_GE(found.centre_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
  }
}

// Review 1: what a robust centre hides.
TEST(Truth, WhatHappensNowAndThenIsNoEquivalence) {
  for (const auto* name : {"1 ms in every 10th step", "100 us in a tenth of the blocks", "40 us in a quarter of the blocks"}) {
    const auto found = of(name);
    EXPECT_EQ(found.of(verdict::kEquivalent), 0) << name;
    EXPECT_EQ(found.of(verdict::kSlower), kCampaigns) << name;
    EXPECT_GE(found.mean_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
  }
  EXPECT_THAT(trainer_of("1 ms in every 10th step").reason, HasSubstr("something costs now and then"));
}

// Review 2: width is no gate.
TEST(Truth, WhatLiesBeyondTheMarginIsNamed) {
  for (const auto* name : {"+50 us, mild noise", "+50 us, full noise", "+10 us, mild noise", "+10 us, full noise"}) {
    const auto found = of(name);
    EXPECT_EQ(found.of(verdict::kSlower), kCampaigns) << name;
    EXPECT_EQ(found.named_beyond_it, found.beyond_twice_resolution) << name;
    EXPECT_GE(found.bounds_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
  }
  EXPECT_EQ(of("-10 us, mild noise").of(verdict::kFaster), kCampaigns);
}

// What the sentence of the resolution claims: twice as much is nearly always called a cost, as much mostly.
TEST(Truth, WhatTheResolutionIsIsSeen) {
  auto nothing = truth_case("nothing, full noise");
  double resolution_us = 0;
  for (std::uint64_t seed = 1; seed <= kCampaigns; ++seed)
    resolution_us += row_of(overhead_rows(campaign(nothing.plan, seed)), "trainer").resolution_us / kCampaigns;
  const auto seen = [&](double us) {
    auto one = nothing;
    one.plan.effect.added_us = [us](const StepPlace& at) { return at.arm == "trainer" ? us : 0.0; };
    return tally(one, kCampaigns).of(verdict::kSlower);
  };
  EXPECT_GE(seen(2 * resolution_us), kCampaigns - binomial_bound(kCampaigns, 0.05));
  EXPECT_GE(seen(resolution_us), kCampaigns / 2);
  EXPECT_LE(seen(resolution_us / 2), kCampaigns / 2) << "half of it would be no word of it";
}

// A host of two clock frequencies: what a step is, in which one it is measured decides; what a cost is, hardly.
TEST(Truth, AShareHoldsTheErrorOfItsStepToo) {
  auto one = truth_case("+50 us, mild noise");
  one.plan.noise.two_clocks = 0.1;
  std::vector<OverheadRow> rows;
  double step_us = 0;
  for (std::uint64_t seed = 1; seed <= 2 * kCampaigns; ++seed) {
    rows.push_back(row_of(overhead_rows(campaign(one.plan, seed)), "trainer", "wall"));
    step_us += rows.back().step_us / (2 * kCampaigns);
  }
  const double truth = 100 * 50 / step_us;
  int held = 0, held_by_us_alone = 0;
  for (const auto& row : rows) {
    held += row.overhead_percent.lo <= truth && truth <= row.overhead_percent.hi ? 1 : 0;
    const auto share = [&](double us) { return 100 * us / row.step_us; };
    held_by_us_alone += share(row.overhead_us.lo) <= truth && truth <= share(row.overhead_us.hi) ? 1 : 0;
  }
  EXPECT_GE(held, 2 * kCampaigns - binomial_bound(2 * kCampaigns, kMiss));
  EXPECT_LT(held_by_us_alone, 2 * kCampaigns * 3 / 4) << "as it was";
}

// Review 3: CPU time rank by rank.
TEST(Truth, ACostOnOneRankIsMeasuredAndTheRankNamed) {
  for (const auto* name : {"10 us on one rank of 2", "10 us on one rank of 8", "10 us on one rank of 2, the other 5 % slower"}) {
    const auto found = of(name);
    EXPECT_EQ(found.of(verdict::kSlower), kCampaigns) << name;
    EXPECT_EQ(found.rank_named, kCampaigns) << name;
    EXPECT_GE(found.centre_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
    EXPECT_GE(found.rank_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
  }
}

// Review 4: a largest value over ranks takes a wider scatter for a cost.
TEST(Truth, AWiderScatterIsNoCostAndIsSaid) {
  const auto found = of("no cost, three times the scatter");
  EXPECT_EQ(found.of(verdict::kSlower), 0);
  EXPECT_THAT(trainer_of("no cost, three times the scatter").qualified, HasSubstr("times as far as the reference's"));
}

// What every step costs, every block's fastest step costs too.
TEST(Truth, FastestStepsHoldWhatEveryStepCosts) {
  for (const auto* name : {"by fastest steps: nothing, full noise", "by fastest steps: +10 us, full noise",
                           "by fastest steps: -10 us, full noise"}) {
    const auto found = of(name);
    EXPECT_GE(found.centre_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
    EXPECT_EQ(found.of(verdict::kUnmeasurable), 0) << name;
  }
  EXPECT_LE(falsely_different(of("by fastest steps: nothing, full noise")), binomial_bound(kCampaigns, 0.02));
  EXPECT_EQ(of("by fastest steps: +10 us, full noise").of(verdict::kSlower), kCampaigns);
  EXPECT_EQ(of("by fastest steps: -10 us, full noise").of(verdict::kFaster), kCampaigns);
}

// The fastest of steps that scatter more are faster at equal cost: what that may hide is in the bounds.
TEST(Truth, FastestStepsOfAnotherScatterMakeNobodyFaster) {
  for (const auto* name :
       {"by fastest steps: no cost, three times the scatter", "by fastest steps: no cost, 1.2 times the scatter",
        "by fastest steps: no cost, 0.8 times the scatter"}) {
    const auto found = of(name);
    EXPECT_LE(falsely_different(found), binomial_bound(kCampaigns, 0.05)) << name;
  }
  EXPECT_THAT(trainer_of("by fastest steps: no cost, three times the scatter").reason,
              HasSubstr("of fastest steps, which may hide"));
}

// Review 5.
TEST(Truth, ASlowSuccessorMakesNobodyFaster) {
  for (const auto* name : {"no cost, the next block is 5 % slower", "the same with nine arms"}) {
    const auto found = of(name);
    EXPECT_LE(falsely_different(found), binomial_bound(kCampaigns, 0.04)) << name;
    EXPECT_GE(found.bounds_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
    EXPECT_EQ(found.qualified, kCampaigns) << name;
  }
  const auto study = campaign(truth_case("no cost, the next block is 5 % slower").plan, 1);
  EXPECT_THAT(carry_over_phrase(study, carry_over_rows(study)), HasSubstr("when trainer ran before"));
}

// Review 6: +9.9 us are 1.6 % of the step of 620 us, and 3.2 % of its CPU time.
TEST(Truth, ABudgetIsAShareOfTheStepThatTheUserWaitsFor) {
  auto truth = truth_case("+10 us, mild noise");
  truth.plan.budget_percent = 2;
  const auto row = row_of(overhead_rows(campaign(truth.plan, 1)), "trainer", "awaited");
  EXPECT_EQ(row.budget_verdict, budget_verdict::kAccept) << row.reason;
  EXPECT_NEAR(row.overhead_percent.value, 1.6, 0.2);
}

// What is waited for is found where CPU time is blind, as sharply as what is computed.
TEST(Truth, WaitingIsFoundOnTheAwaitedClock) {
  for (const auto* name :
       {"awaited: waits 50 us, mild noise", "awaited: waits 50 us, full noise", "awaited: computes 50 us, full noise",
        "awaited: waits 10 us, mild noise", "awaited: waits 50 us on one rank, the other as fast"}) {
    const auto found = of(name);
    EXPECT_EQ(found.of(verdict::kSlower), kCampaigns) << name;
    EXPECT_GE(found.centre_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
  }
}

TEST(Truth, WhatWaitsBehindASlowerPeerCostsNothing) {
  const auto found = of("awaited: waits 30 us behind a peer that is 10 % slower");
  EXPECT_EQ(falsely_different(found), 0);
  EXPECT_GE(found.of(verdict::kEquivalent), kCampaigns - binomial_bound(kCampaigns, kMiss));
}

TEST(Truth, NothingIsNoAwaitedCost) {
  for (const auto* name : {"awaited: nothing, mild noise", "awaited: nothing, full noise"}) {
    const auto found = of(name);
    EXPECT_LE(falsely_different(found), binomial_bound(kCampaigns, 0.02)) << name;
    EXPECT_GE(found.centre_held, kCampaigns - binomial_bound(kCampaigns, kMiss)) << name;
  }
}

// Of an arm that waits no row of any clock says equal, and no budget is accepted that the waiting exceeds.
TEST(Truth, NoClockCallsAnArmEqualThatWaits) {
  auto plan = truth_case("awaited: waits 50 us, full noise").plan;
  plan.budget_percent = 5;
  for (std::uint64_t seed = 1; seed <= kCampaigns; ++seed) {
    for (const auto& row : overhead_rows(campaign(plan, seed))) {
      if (row.arm != "trainer") continue;
      EXPECT_NE(row.verdict, verdict::kEquivalent) << row.clock;
      EXPECT_NE(row.budget_verdict, budget_verdict::kAccept) << row.clock;
    }
  }
}

// Review 7.
TEST(Truth, InvalidTimesAreCountedAndRefusedAboveOnePercent) {
  const auto spoilt = [](int every, double time) {
    auto study = campaign(truth_case("+10 us, mild noise").plan, 1);
    auto& arm = study.cells[0].launches[0].samples.arms[2];
    std::int64_t number = 0;
    for (std::int64_t block = 1; block <= 400; ++block) {
      if (block % every == 0) arm.ranks[1].steps.at(block, 1 + number++ % 4)[index_of(Clock::kThreadCpu)] = time;
    }
    find_series(arm, 2);
    return row_of(overhead_rows(study), "trainer");
  };
  for (const double time : {kNotMeasured, 0.0, -1.0, HUGE_VAL}) {
    EXPECT_EQ(spoilt(2, time).verdict, verdict::kUnmeasurable) << time;
    const auto row = spoilt(40, time);
    EXPECT_EQ(row.verdict, verdict::kSlower) << row.reason;
    EXPECT_NEAR(row.overhead_us.value, 10, 2);
    EXPECT_THAT(row.qualified, HasSubstr("% of the step times are not finite and above 0"));
  }
  auto study = campaign(truth_case("+10 us, mild noise").plan, 1);
  for (auto& arm : study.cells[0].launches[0].samples.arms) {
    arm.ranks.pop_back();  // rank 1 is missing in the file
    find_series(arm, 2);
  }
  EXPECT_EQ(row_of(overhead_rows(study), "trainer").verdict, verdict::kUnmeasurable);
}

// Review 8.
TEST(Truth, DisturbedBlocksThatMoveTheEstimateAreSaid) {
  const auto row = trainer_of("+30 us in disturbed blocks, one of two");
  EXPECT_NEAR(row.disturbed_percent, 50, 1);
  EXPECT_NEAR(row.undisturbed_us, 0, 1.5);
  EXPECT_THAT(row.qualified, HasSubstr("of pairs that others disturbed"));
}

// Review 9: c and s of the law with few launches, of computing (none) and of waiting.
TEST(Truth, TheLawsIntervalsHoldWithTwoLaunchesToo) {
  constexpr int kLaws = 60;
  for (const int launches : {2, 3, 5}) {
    CampaignPlan plan;
    plan.launches = launches;
    plan.super_blocks = 40;
    plan.ranks = 1;
    plan.cells = 6;
    plan.cell_lengths = {0.5, 1, 2, 4, 8, 16};
    plan.noise.arm_by_launch_sd = 0.0025;
    plan.effect.waited_us = [](const StepPlace& at) { return at.arm == "trainer" ? 50.0 : 0.0; };
    const std::map<std::string, double> truth_us{{"thread_cpu", 0}, {"awaited", 50}};
    std::map<std::string, int> held_c, held_s;
    for (int seed = 1; seed <= kLaws; ++seed) {
      auto study = campaign(plan, static_cast<std::uint64_t>(seed));
      for (auto& cell : study.cells) {
        cell.axes.strategy = "ddp";
        cell.axes.batch_size_per_rank = 8;
        cell.axes.options = "matmuls=" + cell.axes.cell_id.substr(1);
      }
      for (const auto& law : step_time_laws(study, overhead_rows(study))) {
        const auto truth = truth_us.find(law.clock);
        if (law.arm != "trainer" || truth == truth_us.end()) continue;
        ASSERT_TRUE(law.line) << law.reason;
        held_c[law.clock] += std::fabs(law.line->intercept - truth->second) <= law.line->intercept_half_width() ? 1 : 0;
        held_s[law.clock] += std::fabs(law.line->slope) <= law.line->slope_half_width() ? 1 : 0;
      }
    }
    for (const auto& [clock, us] : truth_us) {
      EXPECT_GE(held_c[clock], kLaws - binomial_bound(kLaws, kMiss)) << clock << " " << launches;
      EXPECT_GE(held_s[clock], kLaws - binomial_bound(kLaws, kMiss)) << clock << " " << launches;
    }
  }
}

// Review 10.
TEST(Truth, OneLaunchSpeaksForItself) {
  EXPECT_THAT(trainer_of("+10 us, mild noise").reason, HasSubstr("within this launch only"));
  EXPECT_THAT(trainer_of("10 launches, 20 us in every fifth").reason, testing::Not(HasSubstr("this launch only")));
}

// Review 11: with what the row asks for it is settled.
TEST(Truth, WhatWouldSettleARowSettlesIt) {
  auto plan = truth_case("+10 us, full noise").plan;
  plan.effect.added_us = [](const StepPlace& at) { return at.arm == "trainer" ? 3.0 : 0.0; };
  plan.super_blocks = 40;
  plan.arms = {"raw", "raw_again", "trainer"};
  int open = 0;
  int settled = 0;
  for (int seed = 1; seed <= kCampaigns; ++seed) {
    const auto row = row_of(overhead_rows(campaign(plan, static_cast<std::uint64_t>(seed))), "trainer");
    if (std::isnan(row.settle_pairs)) continue;
    ++open;
    auto longer = plan;
    longer.launches = static_cast<int>(row.settle_launches);
    longer.super_blocks = static_cast<int>(std::min(row.settle_pairs, 3000.0));
    const auto again = row_of(overhead_rows(campaign(longer, static_cast<std::uint64_t>(1000 + seed))), "trainer");
    settled += again.verdict == verdict::kSlower || again.verdict == verdict::kEquivalent ? 1 : 0;
  }
  EXPECT_GT(open, kCampaigns / 2);
  EXPECT_GE(settled, (3 * open) / 4) << open;
}

// Review 12: twenty cells at the border.
TEST(Truth, ManyCellsAtTheBorderHoldNoWrongVerdict) {
  CampaignPlan plan;
  plan.cells = 20;
  plan.super_blocks = 60;
  plan.ranks = 1;
  plan.arms = {"raw", "raw_again", "trainer"};
  plan.effect.added_us = [](const StepPlace& at) { return at.arm == "trainer" ? 0.005 * 620 : 0.0; };
  plan.budget_percent = 0.5;
  constexpr int kFamilies = 30;
  int equivalent = 0;
  int decided = 0;
  for (int seed = 1; seed <= kFamilies; ++seed) {
    const auto rows = overhead_rows(campaign(plan, static_cast<std::uint64_t>(seed)));
    bool any_equivalent = false;
    bool any_decided = false;
    for (const auto& row : rows) {
      if (row.arm != "trainer" || row.clock != "awaited") continue;
      any_equivalent |= row.verdict == verdict::kEquivalent;
      any_decided |= row.budget_verdict != budget_verdict::kUndecided;
    }
    equivalent += any_equivalent ? 1 : 0;
    decided += any_decided ? 1 : 0;
  }
  EXPECT_LE(equivalent, binomial_bound(kFamilies, kMiss));
  EXPECT_LE(decided, binomial_bound(kFamilies, kMiss));
}

// Review 13.
TEST(Truth, AnAaOffsetInsideTheMarginIsSaidAndWidensTheBounds) {
  const auto row = trainer_of("A/A and trainer off by -1.6 us");
  EXPECT_THAT(row.qualified, HasSubstr("the A/A arm is off by"));
  EXPECT_LT(row.at_least_us, row.overhead_us.lo - 1);
  EXPECT_EQ(falsely_different(of("A/A and trainer off by -1.6 us")), 0);
}

// Review 14.
TEST(Truth, ACoarseClockCallsNothingEquivalent) {
  const auto found = of("+10 us, a clock of 100 us ticks");
  EXPECT_EQ(found.of(verdict::kEquivalent), 0);
  EXPECT_EQ(found.bounds_held, kCampaigns);
}

// Review 17.
TEST(Truth, ATrendAndAnOddLaunchAreSaid) {
  EXPECT_THAT(trainer_of("0 to 8 us along the run").qualified, HasSubstr("it changes along the run: +"));
  EXPECT_THAT(trainer_of("10 launches, 20 us in every fifth").qualified, HasSubstr("launches differ, from "));
}

}  // namespace
}  // namespace ddpbench
