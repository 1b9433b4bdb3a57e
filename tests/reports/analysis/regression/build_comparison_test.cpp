#include "reports/analysis/regression/build_comparison.hpp"

#include <gmock/gmock.h>

#include "reports/analysis/regression/comparison_phrases.hpp"
#include "reports/analysis/regression/machine_formats.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kStepWaited = 1e-3;  // seconds

// Launches whose values scatter by ±1 % of `scatter` in a fixed pattern about `centre`, seconds.
std::map<std::int64_t, double> about(double centre, double scatter, std::int64_t count = 6) {
  constexpr std::array kPattern{-1.0, 0.4, 0.9, -0.6, 0.5, -0.2, 0.8, -0.8};
  std::map<std::int64_t, double> values;
  for (std::int64_t i = 0; i < count; ++i) values[i] = centre + scatter * kPattern[static_cast<std::size_t>(i) % kPattern.size()];
  return values;
}

LaunchValues quantity(const char* what, const char* arm, std::map<std::int64_t, double> values) {
  LaunchValues one;
  one.cell_id = "cell";
  one.label = "null, batch 16";
  one.what = what;
  one.arm = arm;
  one.clock = Clock::kThreadCpu;
  one.by_repetition = std::move(values);
  one.step_s = kStepWaited;
  one.margin_s = 5e-6;
  return one;
}
LaunchValues cost_of(std::map<std::int64_t, double> values) {
  return quantity(compared_what::kCost, "trainer", std::move(values));
}
LaunchValues step_of(std::map<std::int64_t, double> values) { return quantity(compared_what::kStep, "raw", std::move(values)); }

ComparisonRule in_turn() {
  ComparisonRule rule;
  rule.in_turn = true;
  return rule;
}

ComparedRow compared(const LaunchValues& base, const LaunchValues& fresh, const ComparisonRule& rule = in_turn()) {
  return compare_builds({base}, {fresh}, {}, rule).rows.at(0);
}

TEST(BuildComparison, FindsACostThatGrew) {
  const auto row = compared(cost_of(about(30e-6, 2e-6)), cost_of(about(50e-6, 2e-6)));
  EXPECT_EQ(row.gate, gate::kRegression);
  EXPECT_EQ(row.verdict, verdict::kSlower);
  EXPECT_NEAR(row.change_us.value, 20, 1e-9);
  EXPECT_NEAR(row.change_percent.value, 2, 1e-9);
  EXPECT_GT(row.change_us.lo, 0);
  EXPECT_TRUE(row.counts);
}

TEST(BuildComparison, PassesWhatIsSurelyWithinTheMargin) {
  const auto row = compared(cost_of(about(30e-6, 1e-6)), cost_of(about(30.5e-6, 1e-6)));
  EXPECT_EQ(row.gate, gate::kPass);
  EXPECT_EQ(row.verdict, verdict::kEquivalent);
}

TEST(BuildComparison, PassesWhatIsFaster) {
  const auto row = compared(cost_of(about(50e-6, 2e-6)), cost_of(about(30e-6, 2e-6)));
  EXPECT_EQ(row.gate, gate::kPass);
  EXPECT_EQ(row.verdict, verdict::kFaster);
}

TEST(BuildComparison, LeavesOpenWhatScattersTooMuchAndSaysHowManyLaunchesWouldTell) {
  const auto row = compared(cost_of(about(30e-6, 20e-6)), cost_of(about(33e-6, 20e-6)));
  EXPECT_EQ(row.gate, gate::kOpen);
  EXPECT_EQ(row.verdict, verdict::kAmbiguous);
  EXPECT_GT(row.settle_launches, 6);
  EXPECT_THAT(comparison_sentences(compare_builds({cost_of(about(30e-6, 20e-6))}, {cost_of(about(33e-6, 20e-6))}, {}, in_turn())),
              ::testing::ElementsAre(HasSubstr("launches of each would tell")));
}

TEST(BuildComparison, WhatStaysOpenIsNoPassAndTheLastLineSaysSo) {
  const auto open = compare_builds({cost_of(about(30e-6, 20e-6))}, {cost_of(about(33e-6, 20e-6))}, {}, in_turn());
  EXPECT_THAT(why_no_pass(open), ::testing::StartsWith("This is no pass: 1 of 1 figure is open. --until settled measures on;"));
  const auto passed = compare_builds({cost_of(about(30e-6, 1e-6))}, {cost_of(about(30.5e-6, 1e-6))}, {}, in_turn());
  EXPECT_EQ(why_no_pass(passed), "");
  const auto slower = compare_builds({cost_of(about(30e-6, 1e-6))}, {cost_of(about(60e-6, 1e-6))}, {}, in_turn());
  EXPECT_EQ(why_no_pass(slower), "") << "a regression says enough";
  EXPECT_THAT(why_no_pass(BuildComparison{}), HasSubstr("no figure could be judged"));
  EXPECT_THAT(comparison_markdown(open, {"before", "after"}), HasSubstr("**This is no pass: "));
}

TEST(BuildComparison, OneLaunchIsNoEvidence) {
  const auto row = compared(cost_of(about(30e-6, 1e-6, 1)), cost_of(about(90e-6, 1e-6, 1)));
  EXPECT_EQ(row.gate, gate::kOpen);
  EXPECT_EQ(row.verdict, verdict::kUnmeasurable);
  EXPECT_THAT(row.reason, HasSubstr("two launches of each"));
}

TEST(BuildComparison, AThresholdIsWhatMustSurelyBeExceeded) {
  auto rule = in_turn();
  rule.threshold_percent = 1;  // 10 us
  const auto base = cost_of(about(30e-6, 1e-6));
  EXPECT_EQ(compared(base, cost_of(about(36e-6, 1e-6)), rule).gate, gate::kPass);
  EXPECT_EQ(compared(base, cost_of(about(40e-6, 1e-6)), rule).gate, gate::kOpen);
  EXPECT_EQ(compared(base, cost_of(about(50e-6, 1e-6)), rule).gate, gate::kRegression);
}

TEST(BuildComparison, AThresholdBelowTheMarginDecides) {
  auto rule = in_turn();
  rule.threshold_percent = 0.1;  // 1 us, where the margin is 5
  const auto base = cost_of(about(30e-6, 0.2e-6));
  EXPECT_EQ(compared(base, cost_of(about(33e-6, 0.2e-6)), rule).gate, gate::kRegression);
  EXPECT_EQ(compared(base, cost_of(about(30.2e-6, 0.2e-6)), rule).gate, gate::kPass);
}

TEST(BuildComparison, WhatNewHasNotMeasuredStaysOpen) {
  const auto step = step_of(about(kStepWaited, 1e-6));
  const auto rows = compare_builds({step, cost_of(about(30e-6, 1e-6))}, {step}, {}, ComparisonRule{}).rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at(1).gate, gate::kOpen);
  EXPECT_EQ(rows.at(1).verdict, verdict::kUnmeasurable);
  EXPECT_THAT(rows.at(1).reason, HasSubstr("new has not measured it"));
  const auto text = comparison_text(compare_builds({step, cost_of(about(30e-6, 1e-6))}, {step}, {}, ComparisonRule{}));
  EXPECT_THAT(text, AllOf(HasSubstr("not measured"), Not(HasSubstr("?"))));
}

TEST(BuildComparison, StepsWithOneRepetitionInCommonStayOpen) {
  const std::map<std::int64_t, double> fresh{{0, kStepWaited}, {5, kStepWaited}};
  const auto row = compared(step_of(about(kStepWaited, 1e-6, 2)), step_of(fresh));
  EXPECT_EQ(row.gate, gate::kOpen);
  EXPECT_THAT(row.reason, HasSubstr("two repetitions"));
}

TEST(BuildComparison, BaseAgainMustBeMeasurableToo) {
  auto again = cost_of(about(30e-6, 1e-6));
  again.why_not = "the injected delay was not found";
  const auto row = compare_builds({cost_of(about(30e-6, 1e-6))}, {cost_of(about(30e-6, 1e-6))}, {again}, in_turn()).rows.at(0);
  EXPECT_EQ(row.gate, gate::kOpen);
  EXPECT_EQ(row.reason, "base again: the injected delay was not found");
}

TEST(BuildComparison, AGainMustClearWhatEqualBuildsDifferByToo) {
  const auto comparison =
      compare_builds({cost_of(about(60e-6, 1e-6))}, {cost_of(about(55e-6, 1e-6))}, {cost_of(about(80e-6, 1e-6))}, in_turn());
  EXPECT_NE(comparison.rows.at(0).verdict, verdict::kFaster);
}

// Both sides drift by more than the change: pairs see it, and samples would not.
TEST(BuildComparison, StepsThatTookTurnsArePairedByRepetition) {
  std::map<std::int64_t, double> base, fresh;
  constexpr std::array kOwn{0.2e-6, -0.3e-6, 0.1e-6, 0.3e-6, -0.2e-6, -0.1e-6};
  for (std::int64_t i = 0; i < 6; ++i) {
    base[i] = kStepWaited + 40e-6 * static_cast<double>(i);
    fresh[i] = base[i] + 20e-6 + kOwn.at(static_cast<std::size_t>(i));
  }
  EXPECT_EQ(compared(step_of(base), step_of(fresh)).gate, gate::kRegression);
  EXPECT_EQ(compared(cost_of(base), cost_of(fresh)).gate, gate::kOpen);
}

TEST(BuildComparison, StepsOfFoldersThatWereMeasuredApartAreToldAndNotJudged) {
  const auto row = compared(step_of(about(kStepWaited, 1e-6)), step_of(about(2 * kStepWaited, 1e-6)), ComparisonRule{});
  EXPECT_EQ(row.gate, gate::kNotJudged);
  EXPECT_EQ(row.verdict, "");
  EXPECT_FALSE(row.counts);
  EXPECT_NEAR(row.change_us.value, 1e3, 1e-6);
}

TEST(BuildComparison, WithCostsOnlyStepsAreToldAndNotJudged) {
  auto rule = in_turn();
  rule.costs_only = true;
  EXPECT_FALSE(compared(step_of(about(kStepWaited, 1e-6)), step_of(about(2 * kStepWaited, 1e-6)), rule).counts);
  EXPECT_TRUE(compared(cost_of(about(kStepWaited, 1e-6)), cost_of(about(2 * kStepWaited, 1e-6)), rule).counts);
}

TEST(BuildComparison, OtherClocksDoNotCount) {
  auto base = cost_of(about(30e-6, 2e-6));
  auto fresh = cost_of(about(50e-6, 2e-6));
  base.clock = fresh.clock = Clock::kWall;
  const auto row = compared(base, fresh);
  EXPECT_EQ(row.verdict, verdict::kSlower);
  EXPECT_FALSE(row.counts);
  EXPECT_EQ(row.gate, gate::kNotJudged);
}

// Base against base moved by 30 us: a change of 20 us is nothing beside it.
TEST(BuildComparison, AClaimMustClearWhatEqualBuildsDifferBy) {
  const auto base = cost_of(about(30e-6, 1e-6));
  const auto again = cost_of(about(60e-6, 1e-6));
  const auto comparison = compare_builds({base}, {cost_of(about(65e-6, 1e-6))}, {again}, in_turn());
  EXPECT_NE(comparison.rows.at(0).gate, gate::kRegression);
  EXPECT_GT(comparison.rows.at(0).aa_lo_us, 0);
}

TEST(BuildComparison, BaseMeasuredTwiceNarrowsTheInterval) {
  const auto base = cost_of(about(30e-6, 5e-6));
  const auto fresh = cost_of(about(50e-6, 5e-6));
  const auto once = compare_builds({base}, {fresh}, {}, in_turn()).rows.at(0);
  const auto twice = compare_builds({base}, {fresh}, {cost_of(about(30e-6, 5e-6))}, in_turn()).rows.at(0);
  EXPECT_LT(twice.change_us.hi - twice.change_us.lo, once.change_us.hi - once.change_us.lo);
}

TEST(BuildComparison, WithoutBaseAgainTheAaArmIsTheControl) {
  auto aa_base = quantity(compared_what::kCost, "raw_again", about(0, 1e-6));
  auto aa_fresh = quantity(compared_what::kCost, "raw_again", about(40e-6, 1e-6));
  aa_base.is_aa = aa_fresh.is_aa = true;
  const auto rows =
      compare_builds({cost_of(about(30e-6, 1e-6)), aa_base}, {cost_of(about(65e-6, 1e-6)), aa_fresh}, {}, in_turn()).rows;
  EXPECT_EQ(rows.at(0).gate, gate::kOpen);
  EXPECT_GT(rows.at(0).aa_lo_us, 0);
  EXPECT_FALSE(rows.at(1).counts) << "the control itself is no finding";
}

TEST(BuildComparison, WhatAFolderItselfCannotMeasureHasNoVerdict) {
  auto fresh = cost_of(about(50e-6, 2e-6));
  fresh.why_not = "the injected delay was not found";
  const auto row = compared(cost_of(about(30e-6, 2e-6)), fresh);
  EXPECT_EQ(row.verdict, verdict::kUnmeasurable);
  EXPECT_EQ(row.reason, "new: the injected delay was not found");
  EXPECT_EQ(row.gate, gate::kOpen);
}

TEST(BuildComparison, TwentyEqualQuantitiesAreOneFamily) {
  std::vector<LaunchValues> base, fresh;
  for (int i = 0; i < 20; ++i) {
    auto one = cost_of(about(30e-6, 6e-6));
    one.cell_id += std::to_string(i);
    base.push_back(one);
    one.by_repetition = about(38e-6, 6e-6);
    fresh.push_back(one);
  }
  const auto alone = compared(base.front(), fresh.front());
  const auto among = compare_builds(base, fresh, {}, in_turn()).rows.front();
  EXPECT_NEAR(among.p_slower_holm, std::min(1.0, 20 * alone.p_slower_holm), 1e-12);
}

TEST(BuildComparison, AnotherConfidenceAsksForMore) {
  auto strict = in_turn();
  strict.confidence = 0.99;
  const auto base = cost_of(about(30e-6, 5e-6));
  const auto fresh = cost_of(about(50e-6, 5e-6));
  const auto row = compared(base, fresh);
  const auto strictly = compared(base, fresh, strict);
  EXPECT_GT(strictly.change_us.hi - strictly.change_us.lo, row.change_us.hi - row.change_us.lo);
  EXPECT_EQ(row.gate, gate::kRegression);
  strict.confidence = 0.999999;
  EXPECT_EQ(compared(base, fresh, strict).gate, gate::kOpen);
}

TEST(BuildComparison, NamesCellsThatOneSideLacks) {
  auto other = cost_of(about(30e-6, 2e-6));
  other.cell_id = "another";
  const auto comparison = compare_builds({cost_of(about(30e-6, 2e-6))}, {other}, {}, in_turn());
  EXPECT_EQ(comparison.rows.at(0).gate, gate::kOpen) << "measured in turn, and it failed on one side";
  EXPECT_THAT(comparison.only_in_one, ::testing::ElementsAre("base: cell", "new: another"));
  const auto folders = compare_builds({cost_of(about(30e-6, 2e-6))}, {other}, {}, ComparisonRule{});
  EXPECT_THAT(folders.rows, IsEmpty());
  EXPECT_THAT(comparison_sentences(folders), ::testing::ElementsAre(HasSubstr("Nothing can be compared")));
}

BuildComparison one_of_each() {
  auto slower = cost_of(about(50e-6, 2e-6));
  auto open = quantity(compared_what::kCost, "py_lightning", about(33e-6, 30e-6));
  return compare_builds({cost_of(about(30e-6, 2e-6)), quantity(compared_what::kCost, "py_lightning", about(30e-6, 30e-6))},
                        {slower, open}, {}, in_turn());
}

TEST(ComparisonWords, SayWhatGotWorseFirst) {
  const auto sentences = comparison_sentences(one_of_each());
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_THAT(sentences[0], AllOf(HasSubstr("Regression: trainer costs more in the new build on null, batch 16: +20 us"),
                                  HasSubstr("host CPU")));
  EXPECT_THAT(sentences[1], HasSubstr("Open: py_lightning's cost"));
}

TEST(ComparisonWords, SayInOneSentenceThatNothingGotWorse) {
  const auto equal = compare_builds({cost_of(about(30e-6, 1e-6))}, {cost_of(about(30e-6, 1e-6))}, {}, in_turn());
  EXPECT_THAT(comparison_sentences(equal),
              ::testing::ElementsAre("No regression: of 1 figure none is slower by more than 0.50 % of the step."));
}

TEST(ComparisonWords, TheCommentOfAPullRequestIsATable) {
  const auto text = comparison_markdown(one_of_each(), {"main", "mine"});
  EXPECT_THAT(text, AllOf(HasSubstr("`mine` against `main`"), HasSubstr("| trainer's cost |"), HasSubstr("| REGRESSION |"),
                          HasSubstr("How sure: 6 launches of each, in turn on one machine")));
}

TEST(MachineFormats, JunitHasAFailureForARegressionAndSkipsWhatIsOpen) {
  const auto xml = junit_xml(one_of_each(), false);
  EXPECT_THAT(xml, AllOf(HasSubstr("tests=\"2\" failures=\"1\" errors=\"0\""), HasSubstr("<failure message="),
                         HasSubstr("<skipped message="), HasSubstr("trainer's cost (thread_cpu)\" time=\"0.000050000\""),
                         Not(HasSubstr("time=\"0\""))));
  EXPECT_THAT(junit_xml(one_of_each(), true),
              AllOf(HasSubstr("errors=\"1\""), HasSubstr("<error message="), Not(HasSubstr("<skipped"))));
}

TEST(MachineFormats, JunitTakesNamesThatXmlWouldRead) {
  auto base = cost_of(about(30e-6, 2e-6));
  base.cell_id = base.label = "a<b>&\"c\"\x01";
  auto fresh = base;
  const auto xml = junit_xml(compare_builds({base}, {fresh}, {}, in_turn()), false);
  EXPECT_THAT(xml, HasSubstr("a&lt;b&gt;&amp;&quot;c&quot;?"));
}

TEST(MachineFormats, BenchmarkJsonHasTheNewValueOfEachFigure) {
  const auto json = benchmark_json(one_of_each());
  EXPECT_THAT(json, AllOf(HasSubstr("\"name\": \"trainer's cost, null, batch 16 (thread_cpu)\""), HasSubstr("\"unit\": \"us\""),
                          HasSubstr("REGRESSION: +20 us")));
}

TEST(MachineFormats, TheTableHasEveryRow) {
  const auto csv = comparison_csv(one_of_each());
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_THAT(csv, HasSubstr("cell,cost,trainer,thread_cpu,"));
}

}  // namespace
}  // namespace ddpbench
