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
  EXPECT_NEAR(row.overhead_us.value, 8, 1e-9);
  EXPECT_NEAR(row.waiting_us.value, 3, 1e-9);
  EXPECT_NEAR(row.waiting_us.lo, 3, 1e-9);
  EXPECT_NEAR(row.waiting_us.hi, 3, 1e-9);
  EXPECT_TRUE(std::isnan(find(result, "trainer", "thread_cpu").waiting_us.value));
}

TEST_F(Waiting, IsSaidBesideTheComputing) {
  const auto answer = analyse_launches({sleeping(3)}).answer;
  EXPECT_EQ(answer[0],
            "trainer costs 8.0 us per step over raw DDP, between 8.0 and 8.0 us; 5.0 us computing (5.0 to 5.0), 3.0 us waiting "
            "(3.0 to 3.0).");
  EXPECT_EQ(answer[1], "That is 8.0 % (8.0 to 8.0 %) of its step of 100 us.");
}

TEST_F(Waiting, ThatIsLessIsSaidToo) {
  auto launch = sleeping(-2);
  EXPECT_THAT(analyse_launches({launch}).answer[0],
              testing::EndsWith("; 5.0 us computing (5.0 to 5.0), 2.0 us less waiting (2.0 to 2.0)."));
}

// Less computing by a figure whose interval holds 0: one sign, one word.
TEST_F(Waiting, APartHasOneSign) {
  auto launch = sleeping(3);
  launch.arms = {{"raw", 0}, {"raw_again", 0}, {"injected", 100}, {"trainer", -0.01}};
  launch.noise = 0.002;
  const auto result = analyse_launches({launch});
  const auto& cpu = find(result, "trainer", "thread_cpu");
  ASSERT_TRUE(cpu.overhead_us.value < 0 && cpu.overhead_us.hi > 0) << cpu.overhead_us.value;
  EXPECT_THAT(result.answer[0],
              testing::AllOf(testing::HasSubstr(" us less computing ("), testing::Not(testing::HasSubstr("; -"))));
}

TEST_F(Waiting, TheWallClockIsToldWhereItSurelySaysAnotherFigure) {
  auto launch = sleeping(3);
  launch.delays_of_threads_us = {{"trainer", 4}};
  EXPECT_EQ(analyse_launches({launch}).answer[1],
            "On the wall clock, which includes waiting for a free core, it costs 12 us, between 12 and 12 us.");
  launch.delays_of_threads_us = {{"trainer", 1}};  // within the margin
  EXPECT_EQ(analyse_launches({launch}).answer[1], "That is 8.0 % (8.0 to 8.0 %) of its step of 100 us.");
}

// Who judges by awaited time alone would not judge the other cell at all.
TEST_F(Waiting, WhereOneCellLacksItTheWallIsPrimary) {
  auto without = sleeping(3);
  without.launch_id = "L0002";
  without.cell_id = "C2";
  without.options = "matmuls=1";
  without.knows_awaited = false;
  EXPECT_EQ(analyse_launches({sleeping(3), without}).primary_clock, "wall");
}

// A probe without stamps is compared on the clocks that it has: nothing of it is missing.
TEST_F(Waiting, AProbeWithoutStampsHasNoRowOnTheAwaitedClock) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw_again", 0}, {"raw-timers-nvtx", -1}, {"trainer", 5}, {"injected", 100}};
  launch.without_steps = "raw-timers-nvtx";
  const auto result = analyse_launches({launch});
  const auto is_its = [](const OverheadRow& row) { return row.arm == "raw-timers-nvtx" && row.clock == "awaited"; };
  EXPECT_EQ(std::count_if(result.overhead.begin(), result.overhead.end(), is_its), 0);
  EXPECT_THAT(result.without_verdict, testing::IsEmpty());
  for (const auto& line : result.headlines) EXPECT_THAT(line, testing::Not(testing::HasSubstr("UNMEASURABLE")));
}

TEST_F(Waiting, OfAFolderWithoutTheAwaitedClockIsNotKnown) {
  auto launch = sleeping(3);
  launch.knows_awaited = false;
  const auto result = analyse_launches({launch});
  EXPECT_EQ(result.primary_clock, "wall");
  EXPECT_EQ(result.answer[0], "trainer costs 8.0 us of wall time per step over raw DDP, between 8.0 and 8.0 us.");
  EXPECT_TRUE(std::isnan(find(result, "trainer", "wall").waiting_us.value));
}

}  // namespace
}  // namespace ddpbench
