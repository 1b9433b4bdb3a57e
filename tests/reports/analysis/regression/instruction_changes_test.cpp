#include "reports/analysis/regression/instruction_changes.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "reports/analysis/findings/instructions.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class InstructionChanges : public AnalysedRun {
 protected:
  // Launches that time tells nothing of: their noise is 40 % of a step.
  std::vector<LaunchValues> counts(double raw, double trainer) {
    std::vector<SyntheticLaunch> launches(3);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      launches[i].launch_id = "L" + std::to_string(++launches_);
      launches[i].repetition = static_cast<std::int64_t>(i);
      launches[i].noise = 0.4;
      if (raw > 0) launches[i].instructions = {{"raw", raw}, {"raw_again", raw}, {"trainer", trainer}, {"injected", 2 * raw}};
    }
    return launch_counts(read_study(JoinedFolders(synthetic_folder(scratch_ / ("side" + std::to_string(launches_)), launches))));
  }
  static InstructionChange find(const std::vector<InstructionChange>& changes, const std::string& what, const std::string& arm) {
    for (const auto& change : changes) {
      if (change.what == what && change.arm == arm) return change;
    }
    throw Error("no change of " + arm);
  }

  ComparisonRule rule_{.in_turn = true};

 private:
  int launches_ = 0;
};

TEST_F(InstructionChanges, ShowACostThatGrew) {
  const auto changes = instruction_changes(counts(1e6, 1.02e6), counts(1e6, 1.05e6), {}, rule_);
  const auto cost = find(changes, "cost", "trainer");
  EXPECT_EQ(cost.verdict, instruction_verdict::kMore);
  EXPECT_NEAR(cost.base, 20'000, 20);
  EXPECT_NEAR(cost.fresh, 50'000, 20);
  EXPECT_NEAR(cost.change.value, 30'000, 20);
  EXPECT_NEAR(cost.percent(cost.change.value), 3, 0.01) << "of base's step";
  EXPECT_EQ(find(changes, "step", "raw").verdict, instruction_verdict::kEqual);
  EXPECT_THAT(instruction_change_sentences(changes),
              ElementsAre(StartsWith("Counted in instructions, which noise hardly moves, trainer's cost grew on null: +3.0 %")));
  EXPECT_THAT(instruction_change_markdown(changes), HasSubstr("| trainer's cost | 20.0 thousand | 50.0 thousand |"));
}

TEST_F(InstructionChanges, OfEqualBuildsAreNone) {
  const auto changes = instruction_changes(counts(1e6, 1.02e6), counts(1e6, 1.02e6), counts(1e6, 1.02e6), rule_);
  EXPECT_EQ(find(changes, "cost", "trainer").verdict, instruction_verdict::kEqual);
  EXPECT_THAT(instruction_change_sentences(changes),
              ElementsAre("Counted in instructions, the two do the same work to within 0.50 % of a step's."));
}

// Of two folders steps are told only.
TEST_F(InstructionChanges, OfTwoFoldersTheyClaimNothingOfSteps) {
  rule_.in_turn = false;
  EXPECT_THAT(
      instruction_change_sentences(instruction_changes(counts(1e6, 1.02e6), counts(1.2e6, 1.22e6), {}, rule_)),
      ElementsAre("Counted in instructions, what arms add to their loops is the same work to within 0.50 % of a step's."));
}

TEST_F(InstructionChanges, AreNotToldWhereOneSideCountedNothing) {
  const auto changes = instruction_changes(counts(1e6, 1.02e6), counts(0, 0), {}, rule_);
  EXPECT_THAT(changes, IsEmpty());
  EXPECT_THAT(instruction_change_sentences(changes), IsEmpty());
  EXPECT_EQ(instruction_change_markdown(changes), "");
}

TEST_F(InstructionChanges, StandInTheirFileWithBothSides) {
  const auto csv = instruction_changes_csv(instruction_changes(counts(1e6, 1.02e6), counts(1e6, 1.05e6), {}, rule_));
  EXPECT_THAT(csv, StartsWith("cell_id,what,arm,base,new,change,"));
  EXPECT_THAT(csv, HasSubstr(",cost,trainer,"));
}

}  // namespace
}  // namespace ddpbench
