#include "reports/analysis/findings/sizes/predictions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/prediction.hpp"
#include "suite/base/errors.hpp"
#include "tests/reports/analysis/synthetic_run.hpp"
#include "tests/support/recorded_arms.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

const auto kPredictedArms = arm_facts(made_up_arms(), std::vector<std::string>{"raw"});

ScalingRow measured_row(std::int64_t nodes, std::int64_t per_node, double samples_per_s, const char* mode = "weak") {
  ScalingRow row;
  row.nodes = nodes;
  row.ranks_per_node = per_node;
  row.world_size = nodes * per_node;
  row.batch_size_per_rank = 8;
  row.backend = "gloo";
  row.mode = mode;
  row.arm = "raw";
  row.cell_id = "C" + std::to_string(row.world_size) + mode;
  row.reference_cell = "C1";
  row.samples_per_s.value = samples_per_s;
  return row;
}

// 10 ms of compute, 2 ms for each message of a ring.
double samples_per_s_of(std::int64_t ranks) {
  return 8 * static_cast<double>(ranks) / (0.010 + 0.002 * 2 * static_cast<double>(ranks - 1));
}

std::vector<ScalingRow> rows_of(const std::vector<std::int64_t>& nodes) {
  std::vector<ScalingRow> rows;
  for (const auto n : nodes) rows.push_back(measured_row(n, 1, samples_per_s_of(n)));
  return rows;
}

TEST(Predictions, EverySizeIsPredictedFromTheOthers) {
  const auto scaling = rows_of({1, 2, 4, 8});
  const auto rows = held_out_rows(size_groups(scaling, {}, kPredictedArms, made_up_arms()));
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[3].sizes, 3);
  EXPECT_NEAR(rows[3].step_ms, 38, 1e-9);
  EXPECT_NEAR(rows[3].predicted_ms.value, 38, 0.4);
  EXPECT_TRUE(rows[3].is_inside);
  const auto score = score_of(rows);
  EXPECT_EQ(score.predicted, 4U);
  EXPECT_EQ(score.inside, 4U);
  EXPECT_LT(score.largest_percent, 1);
  EXPECT_THAT(score_phrase(score), StartsWith("4 measured sizes, each predicted from the others, were wrong by at most"));
}

TEST(Predictions, ThatMissTheirTestsBeginWithAWarning) {
  const HeldOutScore score{4, 1, 135, 60};
  EXPECT_EQ(score_phrase(score),
            "Test predictions were wrong by up to 135 %: do not rely on the figures below.\n4 measured sizes, each "
            "predicted from the others, were wrong by at most 135 %, by 60 % in the median; 1 of 4 fell within their "
            "interval.\n");
}

TEST(Predictions, TwoSizesSayNothingOfHowWellTheyPredict) {
  const auto scaling = rows_of({1, 2});
  const auto groups = size_groups(scaling, {}, kPredictedArms, made_up_arms());
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_THAT(held_out_rows(groups), IsEmpty());
  EXPECT_THAT(score_phrase(score_of({})), HasSubstr("is not known"));
}

TEST(Predictions, TheOnlySizeOnSeveralNodesCannotBePredicted) {
  std::vector<ScalingRow> scaling{measured_row(1, 1, 800), measured_row(1, 2, 1500), measured_row(2, 2, 2500)};
  const auto rows = held_out_rows(size_groups(scaling, {}, kPredictedArms, made_up_arms()));
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[2].reason, HasSubstr("no size on several nodes"));
  EXPECT_TRUE(std::isnan(rows[2].predicted_ms.value));
}

TEST(Predictions, ASizeIsAWholeNumberOfNodesAndOfSamples) {
  std::vector<ScalingRow> weak{measured_row(1, 1, 800), measured_row(1, 4, 3000), measured_row(2, 4, 5500)};
  const auto group = size_groups(weak, {}, kPredictedArms, made_up_arms()).front();
  std::string why_not;
  EXPECT_EQ(group.size_of(16, 0, why_not).nodes, 4);
  EXPECT_EQ(group.size_of(3, 0, why_not).nodes, 1);
  EXPECT_EQ(group.size_of(16, 8, why_not).nodes, 2);
  EXPECT_EQ(why_not, "");
  group.size_of(6, 0, why_not);
  EXPECT_THAT(why_not, HasSubstr("no multiple of the 4 ranks of a node"));
  std::vector<ScalingRow> strong{measured_row(1, 1, 800, "strong"), measured_row(1, 2, 1500, "strong")};
  strong[1].batch_size_per_rank = 4;
  const auto of_one_batch = size_groups(strong, {}, kPredictedArms, made_up_arms()).front();
  why_not.clear();
  EXPECT_EQ(of_one_batch.size_of(2, 0, why_not).batch_size_per_rank, 4);
  EXPECT_EQ(why_not, "");
  of_one_batch.size_of(16, 16, why_not);
  EXPECT_THAT(why_not, HasSubstr("global batch of 8 cannot be shared"));
}

TEST(Predictions, PartsAreScaledToTheStepThatThroughputIsMadeOf) {
  const auto scaling = rows_of({1, 2});
  EfficiencyRow parts;
  parts.cell_id = scaling[1].cell_id;
  parts.arm = "raw";
  parts.mode = "weak";
  parts.step_us = 28'000;  // twice the median step
  parts.mean_useful_us = 16'000;
  parts.max_useful_us = 20'000;
  const auto group = size_groups(scaling, {parts}, kPredictedArms, made_up_arms()).front();
  EXPECT_NEAR(group.points[1].mean_useful_s, 0.008, 1e-9);
  EXPECT_NEAR(group.points[1].max_useful_s, 0.010, 1e-9);
  EXPECT_TRUE(std::isnan(group.points[0].mean_useful_s));
}

TEST(Predictions, AnArmThatWasNotPlannedIsAMistake) {
  const ScratchFolder scratch;
  const JoinedFolders folders(synthetic_folder(scratch / "run", {SyntheticLaunch{}}));
  PredictionRequest request;
  request.world_sizes = {4};
  EXPECT_EQ(predict(folders, request).groups, 0U) << "it has one size";
  request.arm = "trainr";
  try {
    predict(folders, request);
    FAIL() << "it was taken";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown arm 'trainr' (known: raw, raw_again, trainer, injected"));
  }
}

}  // namespace
}  // namespace ddpbench
