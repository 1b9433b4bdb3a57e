#include <gmock/gmock.h>

#include "reports/analysis/answer/answer_rows.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

using AnswerTableOf = AnalysedRun;

TEST_F(AnswerTableOf, HasARowPerCellAndSubjectInWords) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 5}, {"raw_item", 0.5}, {"injected", 100}, {"raw-nvtx", 0}};
  const auto table = analyse_launches({launch}).table;
  ASSERT_THAT(table.rows, SizeIs(2)) << "neither controls nor what takes the measurement apart";
  const auto& row = table.rows[0];
  EXPECT_EQ(row.cell, "null");
  EXPECT_EQ(row.arm, "trainer");
  EXPECT_EQ(row.step, "100 us");
  EXPECT_EQ(row.cost, "+5.0 us [+5.0, +5.0]");
  EXPECT_EQ(row.share, "+5.0 % [+5.0, +5.0]");
  EXPECT_EQ(row.verdict, "slower");
  EXPECT_THAT(row.reason, StartsWith("beyond ±2 us"));
  EXPECT_EQ(table.rows[1].verdict, "equal within ±2 us");
}

TEST_F(AnswerTableOf, ShowsTheWorstOfMany) {
  std::vector<SyntheticLaunch> launches(50);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].launch_id = "L" + std::to_string(1000 + i);
    launches[i].cell_id = "C" + std::to_string(i);
    launches[i].options = "matmuls=" + std::to_string(i);
    launches[i].super_blocks = 8;
    launches[i].arms[2].second = static_cast<double>(i);
  }
  const auto table = analyse_launches(launches).table;
  ASSERT_THAT(table.rows, SizeIs(40));
  EXPECT_EQ(table.left_out, 10U);
  EXPECT_EQ(table.rows[0].cost, "+49 us [+49, +49]");
  EXPECT_THAT(table_text(table, {}, false), HasSubstr("the worst 40; 10 more are in overhead.csv\n"));
}

TEST(AnswerTable, WithoutRowsIsNoText) {
  AnswerTable table;
  EXPECT_EQ(table_text(table, {}, true), "");
}

}  // namespace
}  // namespace ddpbench
