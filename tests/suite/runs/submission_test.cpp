#include "suite/runs/submission.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/tables/rows.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

std::string runs(const std::vector<std::array<std::string, 3>>& arms) {
  std::vector<RunRow> rows;
  for (const auto& [launch, arm, end] : arms) {
    RunRow row;
    row.launch_id = launch;
    row.arm = arm;
    row.status = end;
    rows.push_back(row);
  }
  return csv_text(rows);
}

std::string plan(const std::vector<std::string>& launches) {
  std::vector<PlanRow> rows;
  for (const auto& launch : launches) {
    PlanRow row;
    row.launch_id = launch;
    row.status_planned = launch.starts_with("skipped") ? status::kSkipped : status::kPlanned;
    rows.push_back(row);
  }
  return csv_text(rows);
}

TEST(Progress, OfARunCountsLaunchesOfWhichAnArmWasMeasured) {
  const test::ScriptFolder folder;
  folder.write("plan.csv", plan({"L1", "L2", "L3", "skipped4"}));
  folder.write("runs.csv", runs({{"L1", "raw", "ok"},
                                 {"L1", "trainer", "ok"},
                                 {"L2", "raw", "ok"},
                                 {"L2", "trainer", "failed"},
                                 {"L3", "raw", "failed"},
                                 {"skipped4", "raw", "skipped"}}));
  EXPECT_EQ(progress_line(folder.path()), "2 3\n");
}

TEST(Progress, OfAComparisonIsThatOfItsSides) {
  const test::ScriptFolder folder;
  for (const std::string side : {"base/", "new/"}) {
    folder.write(side + "plan.csv", plan({"L1", "L2"}));
    folder.write(side + "runs.csv", runs({{"L1", "raw", "ok"}}));
  }
  folder.write("tables/runs.csv", runs({{"L9", "raw", "ok"}}));
  EXPECT_EQ(progress_line(folder.path()), "2 4\n");
}

TEST(Progress, OfCollectivesIsInTheirRecord) {
  const test::ScriptFolder folder;
  folder.write("environment.json",
               R"({"planned_launches": 3, "launches": {"a-0": {"status": "ok"}, "a-1": {"status": "failed", "reason": "x"}}})");
  EXPECT_EQ(progress_line(folder.path()), "1 3\n");
}

TEST(Progress, OfAFolderThatIsNotThereIsNone) { EXPECT_EQ(progress_line("/nowhere"), "0 0\n"); }

}  // namespace
}  // namespace ddpbench
