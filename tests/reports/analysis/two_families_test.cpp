// A cell that holds two families: each arm is compared with its own reference and judged by its own controls.
#include "tests/support/two_families.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/findings/carry_over.hpp"
#include "reports/analysis/findings/ladder.hpp"
#include "reports/analysis/findings/settings/setting_comparison.hpp"
#include "reports/analysis/findings/sizes/efficiency.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/contract/vocabulary/recorded_vocabulary.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

nlohmann::ordered_json two_families() {
  nlohmann::ordered_json environment{{"cores", 8}, {"data_origin", "generated"}};
  environment.update(record_vocabulary(test::two_family_vocabulary()));
  return environment;
}

// py_raw takes 50 us more than raw, and what its family adds stands on top of that.
SyntheticLaunch launch_of_two() {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0},     {"raw_again", 0},     {"trainer", 5},       {"injected", 100},   {"raw-nvtx", -1},
                 {"py_raw", 50}, {"py_raw_again", 50}, {"py_lightning", 57}, {"py_injected", 250}};
  launch.delays_us = {{"injected", 100}, {"py_injected", 200}};
  return launch;
}

class TwoFamilies : public AnalysedRun {
 protected:
  AnalysisResult analyse_two(const SyntheticLaunch& launch) { return analyse_all({launch}); }
  AnalysisResult analyse_all(const std::vector<SyntheticLaunch>& launches) {
    path_ = scratch_ / "two";
    const auto folder = synthetic_folder(path_, launches, two_families());
    return analyse(JoinedFolders(folder), path_);
  }
  Study study_of(const std::vector<SyntheticLaunch>& launches) {
    return read_study(JoinedFolders(synthetic_folder(scratch_ / "study", launches, two_families())));
  }
};

TEST_F(TwoFamilies, EachArmIsComparedWithItsOwnReference) {
  const auto result = analyse_two(launch_of_two());
  const auto& trainer = find(result, "trainer", "wall");
  const auto& lightning = find(result, "py_lightning", "wall");
  EXPECT_EQ(trainer.reference, "raw");
  EXPECT_NEAR(trainer.overhead_us.value, 5, 1e-9);
  EXPECT_NEAR(trainer.reference_step_us, 100, 1e-6);
  EXPECT_EQ(lightning.reference, "py_raw");
  EXPECT_NEAR(lightning.overhead_us.value, 7, 1e-9);
  EXPECT_NEAR(lightning.reference_step_us, 150, 1e-6);
  for (const auto& row : result.overhead) EXPECT_THAT(row.arm, Not(testing::AnyOf("raw", "py_raw"))) << "a reference has no row";
}

TEST_F(TwoFamilies, EachRowIsJudgedByTheControlsOfItsFamily) {
  auto launch = launch_of_two();
  launch.arms[6].second = 58;  // the second A/A pair is off by 8 us
  const auto result = analyse_two(launch);
  EXPECT_EQ(find(result, "trainer", "wall").verdict, verdict::kSlower);
  EXPECT_EQ(find(result, "py_lightning", "wall").verdict, verdict::kAmbiguous);
  EXPECT_THAT(find(result, "py_lightning", "wall").reason, HasSubstr("A/A arm"));
  EXPECT_THAT(find(result, "py_lightning", "wall").qualified, HasSubstr("the A/A arm is off by [+8.0, +8.0] us"));
  EXPECT_NEAR(find(result, "trainer", "wall").aa_hi, 0, 1e-9);
  EXPECT_NEAR(find(result, "py_lightning", "wall").aa_lo, 8, 1e-9);
  EXPECT_NEAR(find(result, "py_lightning", "wall").injected_true_us, 200, 1e-9);
  EXPECT_NEAR(find(result, "py_lightning", "wall").injected_us, 200, 1e-9);
  EXPECT_NEAR(find(result, "trainer", "wall").injected_us, 100, 1e-9);
}

// The demo measures Lightning on the model that resolves it, and says what it is of the step that a user has.
TEST_F(TwoFamilies, TheShareIsOfALongerStepWithoutTheFamilyToo) {
  SyntheticLaunch large;
  large.launch_id = "L0002";
  large.cell_id = "C2";
  large.workload = "resnet50_cifar10";
  large.step_us = 200e3;
  const auto result = analyse_all({launch_of_two(), large});
  EXPECT_THAT(result.answer, testing::Contains("Of the step of resnet50_cifar10 (200 ms by raw) it would cost 0.0035 % (0.0035 "
                                               "to 0.0035 %): estimated from the cost on null, not measured."));
  EXPECT_THAT(result.answer,
              testing::Contains("Of the step of resnet50_cifar10 (200 ms) it costs at most 0.0025 %, measured there."));
}

TEST_F(TwoFamilies, HowSureSaysOfWhichArm) {
  const auto result = analyse_two(launch_of_two());
  EXPECT_THAT(result.how_sure, testing::IsSupersetOf({testing::StartsWith("trainer: One launch, 40 pairs. "),
                                                      testing::StartsWith("py_lightning: One launch, 40 pairs. ")}));
  EXPECT_THAT(result.controls,
              AllOf(HasSubstr("null, raw: the same code twice"), HasSubstr("null, py_raw: the same code twice")));
}

TEST_F(TwoFamilies, WhereAFrameworkCostsSomethingItsFeaturesAreTheNextQuestion) {
  EXPECT_TRUE(analyse_two(launch_of_two()).asks_features);
}

TEST_F(TwoFamilies, TheTrainerInCppHasNoFeaturesToSwitchOff) {
  auto launch = launch_of_two();
  std::erase_if(launch.arms, [](const auto& arm) { return arm.first == "py_lightning"; });
  EXPECT_FALSE(analyse_two(launch).asks_features);
}

TEST_F(TwoFamilies, AMissingControlIsNamedByItsOwnName) {
  auto launch = launch_of_two();
  std::erase_if(launch.arms, [](const auto& arm) { return arm.first == "py_raw_again" || arm.first == "py_injected"; });
  const auto result = analyse_two(launch);
  EXPECT_THAT(find(result, "py_lightning", "wall").reason,
              AllOf(HasSubstr("A/A not checked (no arm py_raw_again)"), HasSubstr("control not checked (no arm py_injected)")));
  EXPECT_THAT(find(result, "trainer", "wall").reason, Not(HasSubstr("not checked")));
}

TEST_F(TwoFamilies, TheAnswerAndTheFiguresOfMeritNameBothReferences) {
  const auto result = analyse_two(launch_of_two());
  EXPECT_THAT(result.answer,
              testing::AllOf(testing::Contains(HasSubstr("In C++, trainer costs 5.0 us per step over raw DDP")),
                             testing::Contains(HasSubstr("In Python, py_lightning costs 7.0 us per step over py_raw DDP"))));
  EXPECT_THAT(result.instrumentation, ElementsAre(HasSubstr("in every arm that is compared with raw alike")));
  std::vector<std::string> names;
  for (const auto& fom : result.foms) names.push_back(fom.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"step_ms.null.raw", "step_ms.null.py_raw", "overhead_us.null.py_lightning.wall"}));
  EXPECT_THAT(names, Not(testing::Contains("overhead_us.null.py_injected.wall")));
  const auto summary = nlohmann::json::parse(read_file(path_ + "/tables/summary.json"));
  EXPECT_EQ(summary["arms"].size(), 9U);
  EXPECT_EQ(summary["arms"][7], (nlohmann::json{{"arm", "py_lightning"},
                                                {"role", "subject"},
                                                {"reference", "py_raw"},
                                                {"program", "python"},
                                                {"base", "py_lightning"},
                                                {"features", {"loops"}},
                                                {"is_wrapper", true},
                                                {"is_delayed", false},
                                                {"has_ideal_network", false}}));
}

TEST_F(TwoFamilies, ALadderStandsOnItsOwnReference) {
  auto launch = launch_of_two();
  launch.arms = {{"raw", 0}, {"py_raw", 50}, {"py_lightning", 57}, {"py_lightning+logger=50", 60}};
  const auto rows = ladder_rows(study_of({launch}));
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows[0].base + ": " + rows[0].arm + " / " + rows[0].reference, "py_lightning: py_lightning / py_raw");
  EXPECT_NEAR(rows[0].cost_us.value, 7, 1e-9);
  EXPECT_EQ(rows[1].feature, "logger=50");
  EXPECT_NEAR(rows[1].cost_us.value, 3, 1e-9);
  EXPECT_EQ(rows[2].kind, ladder_kind::kTotal);
  EXPECT_NEAR(rows[2].cost_us.value, 10, 1e-9);
}

// In a long super-block a reference is run once among every four of its own family's arms only.
TEST_F(TwoFamilies, OnlyTheLargerFamilysReferenceIsRunAgain) {
  auto launch = launch_of_two();
  launch.arms.insert(launch.arms.begin() + 1, {{"raw_item", 1}, {"trainer-loss", 3}});
  const auto study = study_of({launch});
  const auto& samples = study.cells.front().launches.front().samples;
  EXPECT_EQ(samples.find("raw")->blocks_per_super_block, 2);
  EXPECT_EQ(samples.find("py_raw")->blocks_per_super_block, 1);
}

TEST_F(TwoFamilies, SettingsAreComparedByTheStepOfEveryReference) {
  std::vector<SyntheticLaunch> launches{launch_of_two(), launch_of_two()};
  launches[1].launch_id = "L0002";
  launches[1].cell_id = "C2";
  launches[1].step_us = 110;
  launches[1].arms[5].second = 70;
  launches[0].options = "bucket_cap_mb=1";
  launches[1].options = "bucket_cap_mb=25";
  std::map<std::string, double> found;
  for (const auto& row : compare_settings(study_of(launches))) {
    if (row.clock == "wall") found[row.setting] = row.difference_us.value;
  }
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found.at("bucket_cap_mb (raw)"), 10, 1e-9);
  EXPECT_NEAR(found.at("bucket_cap_mb (py_raw)"), 30, 1e-9);
}

}  // namespace
}  // namespace ddpbench
