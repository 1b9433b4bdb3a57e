#include "reports/analysis/findings/instructions.hpp"

#include <gmock/gmock.h>

#include "reports/analysis/answer/summary.hpp"
#include "tests/reports/analysis/analysed_run.hpp"
#include "tests/support/recorded_arms.hpp"

namespace ddpbench {
namespace {

using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// Arms in an order that no time tells apart: the noise of a step is a thousand times what they differ by.
class Instructions : public AnalysedRun {
 protected:
  static SyntheticLaunch launch(double extra, const std::string& id = "L0001") {
    SyntheticLaunch made;
    made.launch_id = id;
    made.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer-fetch", 0.01}, {"trainer", 0.02}};
    made.noise = 0.4;
    made.instructions = {{"raw", 1e6}, {"raw_again", 1e6}, {"trainer-fetch", 1e6 + extra / 4}, {"trainer", 1e6 + extra}};
    return made;
  }
  std::vector<InstructionRow> rows_of(const std::vector<SyntheticLaunch>& launches) {
    const auto folder = synthetic_folder(scratch_ / ("rows" + std::to_string(++folders_)), launches,
                                         with_arms({{"cores", 2}}, made_up_arms({"loops", "fetch", "loss"})));
    return instruction_rows(read_study(JoinedFolders(folder)));
  }
  static InstructionRow row_of(const std::vector<InstructionRow>& rows, const std::string& arm) {
    for (const auto& row : rows) {
      if (row.kind == "arm" && row.arm == arm) return row;
    }
    throw Error("no row of " + arm);
  }

 private:
  int folders_ = 0;
};

TEST_F(Instructions, TellWhatAnArmDoesMoreThanItsReference) {
  const auto row = row_of(rows_of({launch(20'000, "L1"), launch(20'000, "L2"), launch(20'000, "L3")}), "trainer");
  EXPECT_EQ(row.verdict, instruction_verdict::kMore);
  EXPECT_NEAR(row.extra.value, 20'000, 10);
  EXPECT_GT(row.extra.hi - row.extra.lo, 0);
  EXPECT_LT(row.extra.hi - row.extra.lo, 100);
  EXPECT_NEAR(row.extra_percent.value, 2, 1e-3);
  EXPECT_NEAR(row.margin, 5'000, 10) << "half a percent of the reference's";
  EXPECT_EQ(row.launches, 3);
}

TEST_F(Instructions, WithinTheMarginTheyCountAsNone) {
  const auto row = row_of(rows_of({launch(2'000)}), "trainer");
  EXPECT_EQ(row.verdict, instruction_verdict::kEqual);
  EXPECT_THAT(row.reason, HasSubstr("a real difference"));
}

TEST_F(Instructions, FewerAreFewer) {
  EXPECT_EQ(row_of(rows_of({launch(-20'000)}), "trainer").verdict, instruction_verdict::kFewer);
}

// What the same code twice shows counts for nobody.
TEST_F(Instructions, WhatTheAaArmShowsTooStaysOpen) {
  auto off = launch(20'000);
  off.instructions["raw_again"] = 1e6 + 30'000;
  EXPECT_EQ(row_of(rows_of({off}), "trainer").verdict, instruction_verdict::kOpen);
}

TEST_F(Instructions, AnArmThatAddsCollectivesIsNotCalledEqual) {
  auto more = launch(2'000);
  more.metrics = {{{"raw", "collectives_per_step"}, 1}, {{"trainer", "collectives_per_step"}, 2}};
  EXPECT_EQ(row_of(rows_of({more}), "trainer").verdict, instruction_verdict::kMore);
}

TEST_F(Instructions, BesideADeviceTheyAreShownOnly) {
  auto on_device = launch(20'000);
  on_device.device_us = 500;
  const auto row = row_of(rows_of({on_device}), "trainer");
  EXPECT_EQ(row.verdict, instruction_verdict::kNone);
  EXPECT_NEAR(row.extra.value, 20'000, 10);
}

TEST_F(Instructions, OrderRungsThatTimeCannotTellApart) {
  const auto rows = rows_of({launch(20'000)});
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](const InstructionRow& row) { return row.kind == "leave_one_out"; });
  ASSERT_NE(found, rows.end());
  EXPECT_EQ(found->feature, "fetch");
  EXPECT_NEAR(found->extra.value, 15'000, 10);
}

TEST_F(Instructions, WhereNobodyCountedThereIsNoRow) {
  auto uncounted = launch(20'000);
  uncounted.instructions.clear();
  EXPECT_THAT(rows_of({uncounted}), IsEmpty());
}

// They are no clock: no table of times has rows of them, and no answer rests on them where time answers.
TEST_F(Instructions, StandBesideTimeAndNeverInItsPlace) {
  const auto result = analyse_launches({launch(20'000)});
  EXPECT_THAT(result.overhead, Each(Field(&OverheadRow::clock, Not("instructions"))));
  EXPECT_THAT(result.answer,
              Contains(StartsWith(
                  "Counted in instructions, which noise hardly moves, trainer does 2.0 % more than raw: 20.0 thousand a step.")));
  EXPECT_THAT(fom_lines(result.foms), HasSubstr("FOM extra_instructions.null.trainer = "));
  auto clear = launch(20'000);
  clear.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 50}};
  clear.noise = 0.01;
  EXPECT_THAT(analyse_launches({clear}).answer, Not(Contains(StartsWith("Counted in instructions"))));
}

}  // namespace
}  // namespace ddpbench
