#include "reports/analysis/answer/spoken_answer.hpp"

#include <gmock/gmock.h>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/contract/status.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

using SpokenAnswer = AnalysedRun;

SyntheticLaunch costing(double us, double noise = 0) {
  SyntheticLaunch launch;
  launch.arms[2].second = us;
  launch.noise = noise;
  return launch;
}

// A second cell, whose step is long.
SyntheticLaunch of_resnet50(SyntheticLaunch launch) {
  launch.launch_id = "L0002";
  launch.cell_id = "C2";
  launch.workload = "resnet50_cifar10";
  launch.step_us = 413e3;
  return launch;
}

std::vector<SyntheticLaunch> launches_of(const SyntheticLaunch& launch, std::size_t count) {
  std::vector<SyntheticLaunch> launches(count, launch);
  for (std::size_t i = 0; i < count; ++i) launches[i].launch_id = "L000" + std::to_string(i + 1);
  return launches;
}

TEST_F(SpokenAnswer, SaysWhatItCostsOfWhichStepAndHowSure) {
  EXPECT_THAT(analyse_launches({costing(5)}).answer,
              ElementsAre("trainer costs 5.0 us per step over raw DDP, between 5.0 and 5.0 us.",
                          "That is 5.0 % (5.0 to 5.0 %) of its step of 100 us.",
                          "Measured in one launch: five would tell whether it repeats."));
  EXPECT_THAT(analyse_launches(launches_of(costing(5, 0.01), 5)).answer[2], "This was seen over 5 launches.");
  EXPECT_THAT(analyse_launches({costing(-5)}).answer[0], "trainer saves 5.0 us per step over raw DDP, between 5.0 and 5.0 us.");
}

TEST_F(SpokenAnswer, BoundsThatRoundAlikeAreToldWithMoreDigits) {
  EXPECT_EQ(analyse_launches({costing(474, 2e-4)}).answer[0],
            "trainer costs 474.005 us per step over raw DDP, between 474.000 and 474.009 us.");
}

// It computes 5 us longer and waits 4.5 us less: what is waited for is open.
TEST_F(SpokenAnswer, WhatIsOpenSaysWhatItSurelyCostsOfHostCpu) {
  auto launch = costing(5, 0.1);
  launch.sleeps_us["trainer"] = -4.5;
  const auto result = analyse_launches({launch});
  ASSERT_EQ(find(result, "trainer", "awaited").verdict, verdict::kAmbiguous);
  EXPECT_THAT(
      result.answer[1],
      MatchesRegex("It surely uses more CPU time, .* us, between .* and .* us; whether that makes the step longer is open\\."));
  EXPECT_THAT(analyse_launches({costing(5)}).answer, testing::Each(testing::Not(StartsWith("It surely uses"))));
}

TEST(Wording, FiguresOfOneSentenceHaveOneUnitAndAreToldApart) {
  const auto told = durations_apart({1059, 986, 1135});
  EXPECT_THAT(told.texts, ElementsAre("1.06", "0.986", "1.14"));
  EXPECT_EQ(told.unit, " ms");
  const auto far_apart = durations_apart({3.2, 1200});
  EXPECT_THAT(far_apart.texts, ElementsAre("3.2 us", "1.2 ms"));
  EXPECT_EQ(far_apart.unit, "");
  EXPECT_THAT(durations_apart({0, 14000}).texts, ElementsAre("0", "14"));
  EXPECT_THAT(numbers_apart({5, 5, 5}), ElementsAre("5.0", "5.0", "5.0"));
  EXPECT_THAT(numbers_apart({5, 4.998, 5.002}), ElementsAre("5.000", "4.998", "5.002"));
}

TEST_F(SpokenAnswer, NothingThatMattersIsABound) {
  const auto answer = analyse_launches({costing(1)}).answer;
  EXPECT_EQ(answer[0], "trainer costs nothing that matters: between 1.0 and 1.0 us per step over raw DDP.");
  EXPECT_EQ(answer[1], "That is at most 1.0 % of its step of 100 us.");
}

TEST_F(SpokenAnswer, WhatIsOpenSaysAtMostAndWhatWouldSettleIt) {
  const auto answer = analyse_launches({costing(-5, 0.3)}).answer;
  EXPECT_THAT(answer,
              ElementsAre(MatchesRegex("trainer costs at most .* us per step over raw DDP, and perhaps nothing\\."),
                          MatchesRegex("That is at most .* % of its step of .* us\\."),
                          MatchesRegex(
                              "About .* launch(es)? of .* pairs would settle the cost of trainer(, if launches are alike)?\\.")));
}

// Chance among comparisons, or too few blocks apart from their neighbours, leave a row open whose interval lies above 0.
TEST_F(SpokenAnswer, WhatIsOpenAndAboveZeroHasBothBounds) {
  const auto result = analyse_launches({costing(3, 0.3)});
  const auto& row = find(result, "trainer", "awaited");
  ASSERT_EQ(row.verdict, "AMBIGUOUS");
  ASSERT_GT(row.at_least_us, 0);
  EXPECT_THAT(result.answer[0], MatchesRegex("trainer probably costs something, between .* and .* us per step over raw DDP\\."));
}

// An open row tells its bound: how large a cost would be seen contradicts it where the A/A pair is wide.
TEST_F(SpokenAnswer, WhatIsOpenDoesNotSayWhatWouldBeSeen) {
  EXPECT_THAT(analyse_launches({costing(3, 0.3)}).how_sure, testing::Each(testing::Not(testing::HasSubstr("would nearly"))));
}

TEST_F(SpokenAnswer, DisturbedPairsHaveAConsequence) {
  auto launch = costing(5);
  launch.disturbed = 20;
  const auto awaited = analyse_launches({launch});
  EXPECT_THAT(awaited.how_sure,
              testing::Contains(HasSubstr(" Other programs disturbed 50 % of the pairs; the time that they took is left out.")));
  launch.knows_awaited = false;
  EXPECT_THAT(
      analyse_launches({launch}).how_sure,
      testing::Contains(HasSubstr(" Other programs disturbed 50 % of the pairs; the time that they took is in the figures.")));
}

// The table shows an interval above 0: without the reason the sentence would contradict it.
TEST_F(SpokenAnswer, WhereTheSameCodeDiffersAsMuchItIsPerhapsNothingAndSaysWhy) {
  auto launch = costing(20, 0.05);
  launch.arms[1].second = 20;  // the A/A pair is off by the same
  EXPECT_THAT(analyse_launches({launch}).answer[0],
              MatchesRegex("trainer costs at most .* us per step over raw DDP, and "
                           "perhaps nothing: the same code twice differs by up to .* us\\."));
  EXPECT_THAT(analyse_launches({launch}).how_sure[0], HasSubstr("The same code twice differs by "));
}

// A pair that differs by a hundredth of the bound does not explain it.
TEST_F(SpokenAnswer, ASmallDifferenceOfTheSameCodeIsNoReason) {
  auto launch = costing(-5, 0.3);
  launch.arms[1].second = 0.05;
  EXPECT_THAT(analyse_launches({launch}).answer[0], testing::EndsWith("and perhaps nothing."));
}

TEST_F(SpokenAnswer, OfManyCellsWithoutTheDelayThreeAreNamed) {
  std::vector<SyntheticLaunch> launches{costing(5)};
  for (int i = 0; i < 4; ++i) {
    auto large = of_resnet50(costing(3000, 0.3));
    large.launch_id = "L001" + std::to_string(i);
    large.cell_id = "R" + std::to_string(i);
    large.options = "matmuls=" + std::to_string(i);
    launches.push_back(large);
  }
  EXPECT_THAT(analyse_launches(launches).how_sure[0], HasSubstr(" and on 1 more cell it was not found."));
}

TEST_F(SpokenAnswer, SaysInWhichCellsTheDelayDoesNotShow) {
  const auto large = of_resnet50(costing(3000, 0.3));
  EXPECT_THAT(analyse_launches({costing(5), large}).how_sure,
              testing::Contains(MatchesRegex(
                  ".*A delay of 100 us was found as .* us \\(.* to .*\\); on resnet50_cifar10 it was not found\\..*")));
}

TEST_F(SpokenAnswer, TheShareIsOfTheLongestStep) {
  const auto large = of_resnet50(costing(5));
  EXPECT_EQ(analyse_launches({costing(5), large}).answer[1],
            "Of the step of resnet50_cifar10 (413 ms) it costs at most 0.0012 %, measured there.");
}

TEST_F(SpokenAnswer, WhatTheLongestStepItselfLeavesOpenIsSaid) {
  const auto large = of_resnet50(costing(3000, 0.3));
  const auto answer = analyse_launches({costing(3, 0.3), large}).answer;
  EXPECT_THAT(answer[1],
              MatchesRegex("Of the step of resnet50_cifar10 .41. ms. it would cost between .* and .* %: estimated from the "
                           "cost on null\\. The measurement there allows at most .* %\\."));
  EXPECT_THAT(answer[2], testing::EndsWith("would settle the cost of trainer on null, if launches are alike."));
}

// Two releases of a framework: the cost of one says nothing of a step with the other.
TEST_F(SpokenAnswer, NothingIsCarriedOverToAnotherSetting) {
  auto older = costing(5);
  older.options = "lightning_version=2.5.1";
  auto newer = costing(12);
  newer.launch_id = "L0002";
  newer.cell_id = "C2";
  newer.options = "lightning_version=2.6.6";
  newer.step_us = 150;
  const auto result = analyse_launches({older, newer});
  EXPECT_EQ(result.answer[0], "trainer costs 5.0 us per step over raw DDP, between 5.0 and 5.0 us.");
  EXPECT_EQ(result.answer[1], "That is 5.0 % (5.0 to 5.0 %) of its step of 100 us.");
  EXPECT_THAT(result.answer,
              testing::Contains("With lightning_version=2.6.6: trainer costs 12 us per step over raw DDP, between 12 and "
                                "12 us. That is 8.0 % (8.0 to 8.0 %) of its step of 150 us."));
}

// A framework with everything off is not what people run.
TEST_F(SpokenAnswer, WithTheMostFeaturesItIsToldToo) {
  auto launch = costing(5);
  launch.arms.insert(launch.arms.end(), {{"trainer-loss", 4}, {"trainer+log", 6}, {"trainer+log+bar", 20}});
  const auto answer = analyse_launches({launch}).answer;
  EXPECT_THAT(answer, testing::Contains("trainer+log+bar costs 20 us per step over raw DDP, between 20 and 20 us. That is 20 % "
                                        "(20 to 20 %) of its step of 100 us."));
  EXPECT_THAT(answer, testing::Each(testing::Not(StartsWith("trainer+log costs"))));
}

TEST_F(SpokenAnswer, OnlyTheFirstSettingsAreSpokenOf) {
  std::vector<SyntheticLaunch> launches;
  for (int i = 1; i <= 6; ++i) {
    launches.push_back(costing(5 * i));
    launches.back().launch_id = "L" + std::to_string(i);
    launches.back().cell_id = "C" + std::to_string(i);
    launches.back().options = "bucket_cap_mb=" + std::to_string(i);
    launches.back().step_us = 100 * i;
  }
  const auto answer = analyse_launches(launches).answer;
  EXPECT_THAT(answer, testing::Contains(StartsWith("With bucket_cap_mb=4: trainer costs 20 us")));
  EXPECT_THAT(answer, testing::Not(testing::Contains(StartsWith("With bucket_cap_mb=5:"))));
  EXPECT_THAT(answer, testing::Contains("2 more settings of trainer stand in overhead.csv."));
}

TEST_F(SpokenAnswer, WhatCannotBeSaidSaysWhy) {
  auto launch = costing(5);
  launch.delays_us["injected"] = 30;
  EXPECT_THAT(analyse_launches({launch}).answer,
              ElementsAre(StartsWith("What trainer costs cannot be said: the positive control is off: 100 us found of 30")));
}

// As py_accelerate on a single GPU, whose launches are skipped.
TEST_F(SpokenAnswer, AnArmThatCouldNotRunDoesNotHideOneThatDid) {
  auto skipped = costing(0);
  skipped.arms = {{"raw", 0}, {"trainer-loss", 0}};
  skipped.super_blocks = 0;
  skipped.status = status::kSkipped;
  skipped.reason = "not possible here";
  auto measured = costing(5);
  measured.launch_id = "L0002";
  measured.arms[2].first = "trainer-fetch";
  EXPECT_THAT(analyse_launches({skipped, measured}).answer[0], StartsWith("trainer-fetch costs 5.0 us"));
}

TEST_F(SpokenAnswer, FailuresAndFoldersWithoutAnArmAreSaid) {
  auto failed = costing(5);
  failed.launch_id = "L0002";
  failed.status = status::kFailed;
  failed.reason = "rank 1 died";
  failed.super_blocks = 0;
  EXPECT_EQ(analyse_launches({costing(5), failed}).answer.back(), "Launches that did not end well: 1 failed.");
  auto alone = costing(5);
  alone.arms = {{"raw", 0}, {"raw_again", 0}};
  const auto result = analyse_launches({alone});
  EXPECT_THAT(result.answer, ElementsAre("raw takes 100 us per step (null, 2 ranks, gloo); no arm was compared with it."));
  EXPECT_THAT(result.how_sure, IsEmpty());
}

TEST_F(SpokenAnswer, RestsOnLaunchesPairsControlsAndData) {
  const auto result = analyse_launches({costing(5)});
  EXPECT_THAT(
      result.how_sure,
      ElementsAre(MatchesRegex("One launch, 40 pairs\\. A cost of .* us would nearly always be seen, one of .* us mostly\\. "
                               "The same code twice agrees within ±0 us\\. A delay of 100 us was found as 100 us "
                               "\\(100 to 100\\)\\. Other programs disturbed 0\\.0 % of the pairs\\."),
                  "Data: generated."));
  EXPECT_EQ(result.controls, "null: the same code twice agrees within ±0 us; a delay of 100 us was found as 100 us (100 to 100)");
  auto uncontrolled = costing(5);
  uncontrolled.arms = {{"raw", 0}, {"trainer", 5}};
  EXPECT_THAT(analyse_launches({uncontrolled}).how_sure, testing::Contains(HasSubstr(" No controls.")));
  EXPECT_EQ(analyse_launches({uncontrolled}).controls, "");
}

TEST_F(SpokenAnswer, TellsTheLongestFirstStepInWhichTorchCompileWorks) {
  auto compiled = costing(5);
  compiled.metrics = {{{"raw", "once_s.compile"}, 15.2}, {{"trainer", "once_s.compile"}, 0.01}};
  EXPECT_THAT(analyse_launches({compiled}).how_sure.back(),
              HasSubstr("A first step, in which torch.compile works, takes up to 15 s: no cost or step time holds it."));
}

}  // namespace
}  // namespace ddpbench
