// What only the whole of a run decides: the family of comparisons, the cap, the budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/analysis.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/estimates/estimate.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Family = AnalysedRun;

// A second cell of the same arms.
std::vector<SyntheticLaunch> two_cells(const SyntheticLaunch& launch) {
  auto other = launch;
  other.launch_id = "L0002";
  other.cell_id = "C2";
  other.workload = "other";
  return {launch, other};
}

TEST_F(Family, IsAllArmsThatAreNoControlsOfAllCellsOnOneClock) {
  SyntheticLaunch launch;
  launch.noise = 0.05;
  launch.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 5}, {"raw_item", 0.2}, {"injected", 100}};
  const auto result = analyse_launches(two_cells(launch));
  for (const auto& row : result.overhead) {
    const bool control = row.arm == "raw_again" || row.arm == "injected";
    EXPECT_EQ(row.comparisons, control ? 1 : 4) << row.arm << row.clock;
    EXPECT_GE(row.p_holm, row.p_value);
    EXPECT_GT(row.sigma_d_percent, 1);
  }
  const auto& trainer = find(result, "trainer", "thread_cpu");
  EXPECT_LT(trainer.p_holm, 0.05);
  EXPECT_GE(trainer.p_holm, 3 * trainer.p_value);
}

TEST_F(Family, WhatTakesTheMeasurementApartIsNoPartOfIt) {
  SyntheticLaunch launch;
  launch.noise = 0.05;
  launch.arms = {{"raw", 0}, {"trainer", 5}, {"raw-nvtx", 0}, {"raw+ideal", -3}, {"injected_periodic", 0}};
  for (const auto& row : analyse_launches({launch}).overhead) EXPECT_EQ(row.comparisons, 1) << row.arm;
}

TEST_F(Family, OverLaunchesPIsThatOfT) {
  std::vector<SyntheticLaunch> launches(3);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].launch_id = "L000" + std::to_string(i + 1);
    launches[i].arms[2].second = 4 + static_cast<double>(i);
  }
  for (std::size_t i = 3; i < 6; ++i) {  // from five on, launches are judged by their own scatter
    launches.push_back(launches[i - 3]);
    launches.back().launch_id = "L000" + std::to_string(i + 1);
  }
  const auto row = find(analyse_launches(launches), "trainer", "wall");
  const std::vector<double> of_launches{4e-6, 5e-6, 6e-6, 4e-6, 5e-6, 6e-6};
  EXPECT_NEAR(row.p_value, 2 * t_test_p(of_launches), 1e-9);  // by the median step or the mean
  EXPECT_NEAR(row.overhead_us_of_means_lo, 1e6 * t_interval(of_launches).lo, 1e-6);
}

TEST_F(Family, AnOpenRowSaysWhatWouldSettleIt) {
  SyntheticLaunch launch;
  launch.noise = 0.3;
  const auto row = find(analyse_launches({launch}), "trainer", "wall");
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_EQ(row.settle_launches, 1);
  EXPECT_GT(row.settle_pairs, 40);
  EXPECT_THAT(row.reason, AllOf(HasSubstr("costs at most"), HasSubstr("about 1 launch of "), HasSubstr("would settle it"),
                                HasSubstr("within this launch only")));
  EXPECT_TRUE(std::isnan(find(analyse_launches({SyntheticLaunch{}}), "trainer", "wall").settle_pairs));
  launch.options = "max_super_blocks=50";
  const auto capped = find(analyse_launches({launch}), "trainer", "wall");
  EXPECT_LE(capped.settle_pairs, 50) << "of each launch: more do not fit the cap";
  EXPECT_GT(capped.settle_launches, 1);
}

TEST_F(Family, TheBudgetStandsInTheFolderAndDecidesOnThePrimaryClock) {
  SyntheticLaunch launch;  // the trainer costs 5 us; the user waits for 100 us
  const auto with_budget = [&](const std::string& percent) {
    launch.options = "budget_percent=" + percent;
    return analyse_launches({launch});
  };
  const auto rejected = with_budget("4");
  EXPECT_EQ(find(rejected, "trainer", "awaited").budget_verdict, budget_verdict::kReject);
  EXPECT_THAT(rejected.over_budget, ElementsAre(AllOf(StartsWith("trainer on C1: +5.0 us"), HasSubstr("budget of 4 %"))));
  EXPECT_THAT(rejected.without_verdict, IsEmpty());
  EXPECT_EQ(rejected.table.rows.at(0).verdict, "slower; budget 4 %: REJECT");
  for (const auto& row : rejected.overhead) {
    const bool judged = row.arm == "trainer" && row.clock == "awaited";
    EXPECT_EQ(row.budget_verdict.empty(), !judged) << row.arm << row.clock;
    EXPECT_EQ(std::isnan(row.budget_percent), !judged);
  }
  const auto accepted = with_budget("6");
  EXPECT_EQ(find(accepted, "trainer", "awaited").budget_verdict, budget_verdict::kAccept);
  EXPECT_THAT(accepted.over_budget, IsEmpty());
  EXPECT_EQ(read_csv_file<OverheadRow>(path_ + "/overhead.csv").at(7).budget_percent, 6);
}

// Then the budget's verdict is the one that is required, not that against the margin.
TEST_F(Family, WithABudgetOnlyItsVerdictIsMissing) {
  SyntheticLaunch launch;
  launch.noise = 0.1;
  launch.options = "budget_percent=30";
  EXPECT_THAT(analyse_launches({launch}).without_verdict, IsEmpty());
  launch.noise = 0.3;
  launch.super_blocks = 10;
  launch.options = "budget_percent=10";
  EXPECT_THAT(analyse_launches({launch}).without_verdict, ElementsAre(HasSubstr("budget of 10 % of the step: UNDECIDED, ")));
}

// An arm whose stamps are switched off: its steps stand nowhere, its blocks do.
TEST_F(Family, ArmsWithoutStepRowsAreCompared) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw+bare", -3}};
  launch.without_steps = "raw+bare";
  const auto row = find(analyse_launches({launch}), "raw+bare", "wall");
  EXPECT_EQ(row.pairs, 40);
  EXPECT_NEAR(row.overhead_us.value, -3, 1e-9);
  EXPECT_NEAR(row.overhead_us_of_means, -3, 1e-9);
}

}  // namespace
}  // namespace ddpbench
