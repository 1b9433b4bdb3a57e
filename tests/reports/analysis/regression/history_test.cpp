#include "reports/analysis/regression/history.hpp"

#include <gmock/gmock.h>

#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

HistoryEntry entry_of_day(const char* name, const char* utc, double cost_us, const char* arm = "trainer") {
  HistoryEntry entry{name, {}};
  entry.values.started_utc = utc;
  LaunchValues cost;
  cost.cell_id = "cell";
  cost.label = "null, batch 16";
  cost.what = compared_what::kCost;
  cost.arm = arm;
  cost.clock = Clock::kThreadCpu;
  cost.by_repetition = {{0, 1e-6 * (cost_us - 1)}, {1, 1e-6 * (cost_us + 1)}};
  entry.values.values.push_back(cost);
  cost.arm = "raw_again";
  cost.is_aa = true;
  entry.values.values.push_back(cost);
  cost.arm = "trainer";
  cost.is_aa = false;
  cost.clock = Clock::kDevice;
  entry.values.values.push_back(cost);
  return entry;
}

TEST(History, HasARowForEachFolderOldestFirst) {
  const auto csv =
      history_csv({entry_of_day("second", "2026-11-27T03:14:04Z", 40), entry_of_day("first", "2026-11-26T03:00:00Z", 30)});
  EXPECT_EQ(csv,
            "time,results,cost_us.cell.trainer.thread_cpu\n"
            "2026-11-26 03:00:00 +0000,first,30\n"
            "2026-11-27 03:14:04 +0000,second,40\n");
}

TEST(History, AFigureThatAFolderLacksIsEmpty) {
  const auto csv =
      history_csv({entry_of_day("a", "2026-11-26T03:00:00Z", 30), entry_of_day("b", "2026-11-27T03:00:00Z", 5, "py_lightning")});
  EXPECT_THAT(csv, HasSubstr("+0000,a,,30\n"));
  EXPECT_THAT(csv, HasSubstr("+0000,b,5,\n"));
}

TEST(History, ItsConfigNamesEveryColumn) {
  const auto config = otava_config({entry_of_day("a", "2026-11-26T03:00:00Z", 30)}, "ddpbench", "/x/history.csv");
  EXPECT_THAT(config, HasSubstr("    file: /x/history.csv\n"));
  EXPECT_THAT(config, HasSubstr("      cost_us.cell.trainer.thread_cpu:\n        column: cost_us.cell.trainer.thread_cpu\n"));
  EXPECT_THAT(config, Not(HasSubstr("raw_again")));
}

using Baseline = AnalysedRun;

SyntheticLaunch launch_under(const std::string& profiler, std::int64_t repetition, double cost_us) {
  SyntheticLaunch launch;
  launch.launch_id = "L" + std::to_string(repetition);
  launch.repetition = repetition;
  launch.arms[2].second = cost_us;
  launch.profiled = profiler;
  return launch;
}

TEST_F(Baseline, LeavesOutLaunchesUnderAProfiler) {
  const auto folder = synthetic_folder(scratch_ / "some", {launch_under("", 0, 5), launch_under("nsys", 1, 50)});
  const auto values = folder_values(JoinedFolders(folder));
  EXPECT_THAT(values.profiled, ElementsAre(HasSubstr("1 of 2 launches (L1) ran under nsys")));
  EXPECT_THAT(values.values, Not(IsEmpty()));
  for (const auto& one : values.values) {
    EXPECT_EQ(one.by_repetition.count(1), 0U) << one.key();
    if (one.arm != "trainer") continue;
    EXPECT_NEAR(mean_over_launches(one.by_repetition), 5e-6, 1e-9) << one.key();
  }
  const auto profiled = synthetic_folder(scratch_ / "all", {launch_under("nsys", 0, 5), launch_under("nsys", 1, 5)});
  EXPECT_THAT(folder_values(JoinedFolders(profiled)).values, IsEmpty());
}

}  // namespace
}  // namespace ddpbench
