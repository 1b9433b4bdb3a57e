#include "reports/analysis/findings/ladder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reports/analysis/synthetic_run.hpp"
#include "tests/support/recorded_arms.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const nlohmann::ordered_json kEnvironment = with_arms({{"cores", 2}}, made_up_arms({"loops", "fetch", "loss"}));

class LadderOf : public testing::Test {
 protected:
  std::vector<LadderRow> of(const std::vector<std::pair<std::string, double>>& arms, double noise = 0,
                            const nlohmann::ordered_json& environment = kEnvironment, int launches = 1) {
    std::vector<SyntheticLaunch> all(static_cast<std::size_t>(launches));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].launch_id = "L" + std::to_string(i);
      all[i].arms = arms;
      all[i].noise = noise;
      all[i].super_blocks = 200;
    }
    return ladder_rows(
        read_study(JoinedFolders(synthetic_folder(scratch_ / ("run" + std::to_string(++runs_)), all, environment))));
  }
  // Of the thread CPU clock: "kind feature arm-reference".
  static std::vector<std::string> words(const std::vector<LadderRow>& rows) {
    std::vector<std::string> found;
    for (const auto& row : rows) {
      if (row.clock == "thread_cpu") found.push_back(row.kind + " " + row.feature + ": " + row.arm + " / " + row.reference);
    }
    return found;
  }
  static const LadderRow& find(const std::vector<LadderRow>& rows, const std::string& kind, const std::string& feature) {
    for (const auto& row : rows) {
      if (row.clock == "thread_cpu" && row.kind == kind && row.feature == feature) return row;
    }
    throw Error("no row " + kind + " " + feature);
  }

  ScratchFolder scratch_;
  int runs_ = 0;
};

TEST_F(LadderOf, RungsAreTheDifferencesOfNeighboursAndCloseToTheTotal) {
  const auto rows = of({{"raw", 0}, {"trainer", 7}, {"trainer-fetch-loss", 4}, {"trainer-loss", 5.5}, {"raw_again", 0}});
  EXPECT_THAT(words(rows),
              ElementsAre("cumulative trainer+loops: trainer-fetch-loss / raw",
                          "cumulative fetch: trainer-loss / trainer-fetch-loss", "cumulative loss: trainer / trainer-loss",
                          "total loops+fetch+loss: trainer / raw", "leave_one_out loss: trainer / trainer-loss"));
  EXPECT_NEAR(find(rows, "cumulative", "trainer+loops").cost_us.value, 4, 1e-9);
  EXPECT_NEAR(find(rows, "cumulative", "fetch").cost_us.value, 1.5, 1e-9);
  EXPECT_NEAR(find(rows, "cumulative", "loss").cost_us.value, 1.5, 1e-9);
  EXPECT_NEAR(find(rows, "total", "loops+fetch+loss").cost_us.value, 7, 1e-9);
  EXPECT_NEAR(find(rows, "total", "loops+fetch+loss").remainder_us, 0, 1e-9);
  EXPECT_EQ(find(rows, "total", "loops+fetch+loss").pairs, 200);
}

// The feature that saves most is told first: by bounds that hold for all of them together.
TEST_F(LadderOf, WhatIsLeftOutHasTheIntervalOfTheLargest) {
  const auto rows =
      of({{"raw", 0}, {"trainer-fetch-loss", 4}, {"trainer-loss", 5.5}, {"trainer-fetch", 5.5}, {"trainer", 7}}, 0.1);
  const auto& alone = find(rows, "cumulative", "loss").cost_us;
  const auto& together = find(rows, "leave_one_out", "loss").cost_us;
  EXPECT_EQ(together.value, alone.value) << "the same two arms";
  EXPECT_NEAR((together.hi - together.lo) / (alone.hi - alone.lo), 2.2414 / 1.95996, 0.05) << "97.5 % each";
}

TEST_F(LadderOf, TheRemainderIsTotalLessRungsUnderNoise) {
  const auto rows = of({{"raw", 0}, {"trainer-fetch-loss", 4}, {"trainer-loss", 5.5}, {"trainer", 7}}, 0.1);
  double sum_us = 0;
  for (const auto& row : rows)
    sum_us += row.clock == "thread_cpu" && row.kind == ladder_kind::kCumulative ? row.cost_us.value : 0;
  const auto& total = find(rows, "total", "loops+fetch+loss");
  EXPECT_NEAR(total.remainder_us, total.cost_us.value - sum_us, 1e-12);
  EXPECT_NE(total.remainder_us, 0);
  EXPECT_LT(std::fabs(total.remainder_us), total.cost_us.hi - total.cost_us.lo);
  EXPECT_LE(total.cost_us.lo, 7);
  EXPECT_GE(total.cost_us.hi, 7);
}

// fetch and loss cost 1 and 2 alone, and 0.5 less together: what one leaves out, the other no longer saves.
TEST_F(LadderOf, InteractionIsWhatLeaveOneOutLeavesOfTheTotal) {
  const auto rows = of({{"raw", 0}, {"trainer-fetch-loss", 4}, {"trainer-loss", 5}, {"trainer-fetch", 6}, {"trainer", 6.5}});
  EXPECT_NEAR(find(rows, "leave_one_out", "fetch").cost_us.value, 0.5, 1e-9);
  EXPECT_NEAR(find(rows, "leave_one_out", "loss").cost_us.value, 1.5, 1e-9);
  const auto& interaction = find(rows, "interaction", "fetch+loss");
  EXPECT_NEAR(interaction.cost_us.value, (6.5 - 4) - 0.5 - 1.5, 1e-9);
  EXPECT_EQ(interaction.reference, "trainer-fetch-loss");  // what nobody took away stays on both sides
  EXPECT_EQ(interaction.arm, "trainer");
}

TEST_F(LadderOf, WhereEveryFeatureIsTakenAwayTheGroundIsRaw) {
  const auto two = with_arms({}, made_up_arms({"fetch", "loss"}));
  const auto rows = of({{"raw", 0}, {"trainer-loss", 5}, {"trainer-fetch", 6}, {"trainer", 6.5}}, 0, two);
  EXPECT_EQ(find(rows, "interaction", "fetch+loss").reference, "raw");
  EXPECT_NEAR(find(rows, "interaction", "fetch+loss").cost_us.value, 6.5 - 0.5 - 1.5, 1e-9);
}

TEST_F(LadderOf, AddedFeaturesGoOnClimbing) {
  const auto rows = of({{"raw", 0}, {"trainer", 7}, {"trainer+log", 9}, {"trainer+log+bar", 12}, {"trainer+bar", 10}});
  EXPECT_THAT(
      words(rows),
      ElementsAre("cumulative trainer+loops+fetch+loss: trainer / raw", "cumulative log: trainer+log / trainer",
                  "cumulative bar: trainer+log+bar / trainer+log", "total loops+fetch+loss+log+bar: trainer+log+bar / raw",
                  "leave_one_out bar: trainer+log+bar / trainer+log", "leave_one_out log: trainer+log+bar / trainer+bar",
                  "interaction log+bar: trainer+log+bar / trainer"));
}

TEST_F(LadderOf, AnInteractionNeedsNoGroundInTheChain) {
  const auto rows = of({{"raw", 0},
                        {"trainer-loss-fetch", 3},
                        {"trainer-loss", 5},
                        {"trainer", 9},
                        {"trainer-fetch", 6},
                        {"trainer-loops", 7},
                        {"trainer-loops-fetch", 2}});
  EXPECT_NEAR(find(rows, "leave_one_out", "loops").cost_us.value, 2, 1e-9);
  const auto of_two = of({{"raw", 0},
                          {"trainer-loss-fetch", 3},
                          {"trainer", 9},
                          {"trainer-fetch", 6},
                          {"trainer-loops", 7},
                          {"trainer-loops-fetch", 2}});
  EXPECT_NEAR(find(of_two, "interaction", "loops+fetch").cost_us.value, (9 - 2) - (9 - 7) - (9 - 6), 1e-9);
}

TEST_F(LadderOf, AnArmOfAnotherWorkIsNoRung) {
  auto environment = kEnvironment;
  environment["arms"] = nlohmann::ordered_json::parse(R"([
      {"name": "raw", "help": "", "role": "reference"},
      {"name": "trainer", "help": "", "reference": "raw"}])");
  environment["features"] = nlohmann::ordered_json::parse(R"([
      {"name": "log", "help": ""}, {"name": "bar", "help": ""},
      {"name": "clip", "help": "", "changes_work": true}])");
  const auto rows =
      of({{"raw", 0}, {"raw+clip", 5}, {"trainer", 7}, {"trainer+log", 9}, {"trainer+log+clip", 20}}, 0, environment);
  EXPECT_THAT(words(rows), ElementsAre("cumulative trainer: trainer / raw", "cumulative log: trainer+log / trainer",
                                       "total log: trainer+log / raw", "leave_one_out log: trainer+log / trainer"));
}

TEST_F(LadderOf, SeveralLaunchesGiveATInterval) {
  const auto rows = of({{"raw", 0}, {"trainer-loss", 5}, {"trainer", 7}}, 0.1, kEnvironment, 3);
  EXPECT_EQ(find(rows, "cumulative", "loss").launches, 3);
  EXPECT_EQ(find(rows, "cumulative", "loss").pairs, 600);
}

TEST_F(LadderOf, NoLadderWithoutFeaturesOrWithOneRung) {
  EXPECT_THAT(of({{"raw", 0}, {"trainer-loss", 5}, {"trainer", 7}}, 0, {{"cores", 2}}), IsEmpty());
  EXPECT_THAT(of({{"raw", 0}, {"trainer", 7}}), IsEmpty());
  EXPECT_THAT(of({{"raw", 0}, {"raw-nvtx", -1}, {"raw+x", 1}}), IsEmpty());
}

TEST_F(LadderOf, TheSameLoopInAnotherLanguageIsComparedWithTheWorkers) {
  const auto environment = nlohmann::ordered_json::parse(R"({"cores": 2, "arms": [
      {"name": "raw", "help": "", "role": "reference"},
      {"name": "py_raw", "help": "", "role": "reference", "program": "python"}], "features": []})");
  const auto rows = of({{"raw", 0}, {"py_raw", 70}}, 0, environment);
  EXPECT_THAT(words(rows), ElementsAre("language python: py_raw / raw"));
  EXPECT_NEAR(find(rows, "language", "python").cost_us.value, 70, 1e-9);
}

}  // namespace
}  // namespace ddpbench
