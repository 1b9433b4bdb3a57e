#include "reports/analysis/comparisons/waiting.hpp"

#include <gmock/gmock.h>

#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using Waiting = AnalysedRun;

// 5 us of computing and 3 us of sleep.
SyntheticLaunch sleeping(double us) {
  SyntheticLaunch launch;
  launch.sleeps_us = {{"trainer", us}};
  return launch;
}

TEST_F(Waiting, IsWhatOfTheAwaitedCostIsNoCpuTime) {
  const auto result = analyse_launches({sleeping(3)});
  const auto row = find(result, "trainer", "awaited");
  EXPECT_NEAR(row.overhead_us, 8, 1e-9);
  EXPECT_NEAR(row.waiting_us, 3, 1e-9);
  EXPECT_NEAR(row.waiting_us_lo, 3, 1e-9);
  EXPECT_NEAR(row.waiting_us_hi, 3, 1e-9);
  EXPECT_TRUE(std::isnan(find(result, "trainer", "thread_cpu").waiting_us));
}

TEST_F(Waiting, IsSaidBesideTheComputing) {
  const auto answer = analyse_launches({sleeping(3)}).answer;
  EXPECT_EQ(answer[0], "trainer costs 8.0 us per step over raw DDP, between 8.0 and 8.0 us; 5.0 us computing, 3.0 us waiting.");
  EXPECT_EQ(answer[1], "That is 8.0 % of its step of 100 us.");
}

TEST_F(Waiting, ThatIsLessIsSaidToo) {
  auto launch = sleeping(-2);
  EXPECT_THAT(analyse_launches({launch}).answer[0], testing::EndsWith("; 5.0 us computing, 2.0 us less waiting."));
}

TEST_F(Waiting, TheWallClockIsToldWhereItSurelySaysAnotherFigure) {
  auto launch = sleeping(3);
  launch.delays_of_threads_us = {{"trainer", 4}};
  EXPECT_EQ(analyse_launches({launch}).answer[1],
            "On the wall clock, which holds the time that threads waited for a core, it costs 12 us, between 12 and 12 us.");
  launch.delays_of_threads_us = {{"trainer", 1}};  // within the margin
  EXPECT_EQ(analyse_launches({launch}).answer[1], "That is 8.0 % of its step of 100 us.");
}

TEST_F(Waiting, OfAFolderWithoutTheAwaitedClockIsNotKnown) {
  auto launch = sleeping(3);
  launch.knows_awaited = false;
  const auto result = analyse_launches({launch});
  EXPECT_EQ(result.primary_clock, "wall");
  EXPECT_EQ(result.answer[0], "trainer costs 8.0 us of wall time per step over raw DDP, between 8.0 and 8.0 us.");
  EXPECT_TRUE(std::isnan(find(result, "trainer", "wall").waiting_us));
}

}  // namespace
}  // namespace ddpbench
