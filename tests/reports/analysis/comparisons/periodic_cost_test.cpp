// Work of every n-th step: a term of its own beside what every step costs, and part of the verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "suite/contract/status.hpp"
#include "suite/estimates/estimate.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using PeriodicCost = AnalysedRun;

std::vector<double> events_around(double us) {
  std::vector<double> events;
  for (int i = 0; i < 40; ++i) events.push_back(us + (i % 2 == 0 ? 10 : -10));
  return events;
}

// Rank 0 takes half of rank 1.
TEST_F(PeriodicCost, IsTheLongestRanksMeanEventOverNAndOfCpuTimeTheMeanOverRanks) {
  SyntheticLaunch launch;
  launch.events_us["trainer"] = events_around(500);
  const auto result = analyse_launches({launch});
  const auto& wall = find(result, "trainer", "wall");
  const auto expected = t_interval(events_around(500), 0.975);  // of one of two ranks
  EXPECT_NEAR(wall.periodic_us.value, 10, 1e-9);
  EXPECT_NEAR(wall.periodic_us.lo, expected.lo / 50, 1e-9);
  EXPECT_NEAR(wall.periodic_us.hi, expected.hi / 50, 1e-9);
  EXPECT_NEAR(wall.overhead_us.value, 5, 1e-9) << "it is no part of what every step costs";
  EXPECT_NEAR(find(result, "trainer", "thread_cpu").periodic_us.value, 3.75, 1e-9);
  EXPECT_TRUE(std::isnan(find(result, "trainer", "process_cpu").periodic_us.value)) << "read once a block";
  EXPECT_TRUE(std::isnan(find(result, "raw_again", "wall").periodic_us.value));
}

TEST_F(PeriodicCost, OverLaunchesHasTheIntervalOfTheLaunches) {
  std::vector<SyntheticLaunch> launches(3);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].launch_id = "L000" + std::to_string(i + 1);
    launches[i].events_us["trainer"] = events_around(400 + 100.0 * static_cast<double>(i));
  }
  const auto expected = t_interval(std::vector<double>{8, 10, 12}, 0.975);
  const auto result = analyse_launches(launches);
  const auto& wall = find(result, "trainer", "wall");
  EXPECT_NEAR(wall.periodic_us.value, 10, 1e-9);
  EXPECT_NEAR(wall.periodic_us.lo, expected.lo, 1e-9);
}

TEST_F(PeriodicCost, MakesAnArmSlowerWhoseEveryStepIsEqual) {
  SyntheticLaunch launch;
  launch.arms[2].second = 0;
  EXPECT_EQ(find(analyse_launches({launch}), "trainer", "thread_cpu").verdict, verdict::kEquivalent);
  launch.events_us["trainer"] = events_around(1000);
  const auto result = analyse_launches({launch});
  const auto& row = find(result, "trainer", "thread_cpu");
  EXPECT_EQ(row.verdict, verdict::kSlower) << row.reason;
  EXPECT_THAT(row.reason, HasSubstr("beyond ±2 us"));
  EXPECT_THAT(row.reason, HasSubstr("with its work of every n-th step, [+7."));
  EXPECT_THAT(result.table.rows.at(0).cost, HasSubstr("+0.0 us [+0.0, +0.0] and +20.0 us [+19.9, +20.1] every n-th"));
  const auto is_its = [](const Fom& fom) { return fom.name == "periodic_us.null.trainer.thread_cpu"; };
  EXPECT_EQ(std::count_if(result.foms.begin(), result.foms.end(), is_its), 1);
  EXPECT_THAT(result.answer, testing::AllOf(testing::Contains(HasSubstr("trainer costs 20.0 us per step")),
                                            testing::Contains(HasSubstr("That is 20.0 %"))));
}

TEST_F(PeriodicCost, OfFewEventsBearsNoVerdict) {
  SyntheticLaunch launch;
  for (const std::size_t events : {0U, 29U}) {  // 0: it was stopped before them
    launch.events_us["trainer"].assign(events, 1000);
    const auto result = analyse_launches({launch});
    const auto& row = find(result, "trainer", "thread_cpu");
    EXPECT_EQ(row.verdict, verdict::kUnmeasurable);
    EXPECT_THAT(row.reason, HasSubstr("fewer than 30 events"));
  }
}

}  // namespace
}  // namespace ddpbench
