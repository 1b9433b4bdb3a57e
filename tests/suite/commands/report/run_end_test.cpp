#include "suite/commands/report/run_end.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

FolderReport with_one_verdict() {
  FolderReport report;
  report.analysis.overhead.emplace_back();
  return report;
}

SweepCounts counted(int SweepCounts::*member) {
  SweepCounts counts;
  counts.ok = 1;
  counts.*member = 1;
  return counts;
}

TEST(RunEnd, SaysWhatBecameOfTheLaunches) {
  const auto report = with_one_verdict();
  EXPECT_EQ(exit_code_of(counted(&SweepCounts::ok), report, true), ExitCode::kDone);
  EXPECT_EQ(exit_code_of(counted(&SweepCounts::skipped), report, false), ExitCode::kDone);
  EXPECT_EQ(exit_code_of(counted(&SweepCounts::failed), report, false), ExitCode::kDoneWithFailures);
  EXPECT_EQ(exit_code_of(counted(&SweepCounts::wrong), report, false), ExitCode::kDoneWithFailures);
  EXPECT_EQ(exit_code_of(counted(&SweepCounts::partial), report, false), ExitCode::kStopped);
}

TEST(RunEnd, CanBeContinuedEvenWhereALaunchFailed) {
  auto counts = counted(&SweepCounts::failed);
  counts.stopped = true;
  EXPECT_EQ(exit_code_of(counts, with_one_verdict(), false), ExitCode::kStopped);
}

TEST(RunEnd, FailsWhereResultsWereLost) {
  auto counts = counted(&SweepCounts::ok);
  counts.lost = "disk full";
  EXPECT_EQ(exit_code_of(counts, with_one_verdict(), false), ExitCode::kDoneWithFailures);
}

TEST(RunEnd, FailsWhereThereIsNoReport) {
  auto report = with_one_verdict();
  report.why_no_page = "no Python";
  EXPECT_EQ(exit_code_of(counted(&SweepCounts::ok), report, false), ExitCode::kDoneWithFailures);
}

TEST(RunEnd, NothingRunsHereWhereAllWasSkipped) {
  SweepCounts counts;
  counts.skipped = 3;
  EXPECT_EQ(exit_code_of(counts, {}, true), ExitCode::kNothingRunsHere);
}

TEST(RunEnd, WantsVerdictsOnlyWhereAsked) {
  auto report = with_one_verdict();
  report.analysis.without_verdict = {"trainer on c1: too few pairs"};
  const auto ok = counted(&SweepCounts::ok);
  EXPECT_EQ(exit_code_of(ok, report, false), ExitCode::kDone);
  EXPECT_EQ(exit_code_of(ok, report, true), ExitCode::kNoVerdict);
  EXPECT_EQ(exit_code_of(ok, {}, true), ExitCode::kNoVerdict) << "no row is no verdict";
}

TEST(RunEnd, ARejectedBudgetFails) {
  auto report = with_one_verdict();
  report.analysis.over_budget = {"trainer on c1: SLOWER; budget of 2 %: REJECT"};
  const auto ok = counted(&SweepCounts::ok);
  EXPECT_EQ(exit_code_of(ok, report, false), ExitCode::kDoneWithFailures);
  report.analysis.without_verdict = {"raw_item on c1: UNDECIDED"};
  EXPECT_EQ(exit_code_of(ok, report, true), ExitCode::kDoneWithFailures);
  std::ostringstream out;
  print_report(report, out, {});
  EXPECT_THAT(out.str(), HasSubstr("over budget: trainer on c1"));
}

std::string printed(const FolderReport& report, const ReportView& view) {
  std::ostringstream out;
  print_report(report, out, view);
  return out.str();
}

TEST(RunEnd, TellsTheTableThenTheAnswerThenWhatProgramsRead) {
  auto report = with_one_verdict();
  report.analysis.table.rows = {
      {"null", "trainer", "1.7 ms", "+39 us [+33, +44]", "+2.3 % [+1.9, +2.6]", "slower", "10 us", "SLOWER", "beyond"}};
  report.analysis.arms = "trainer: a wrapper";
  report.analysis.asks_features = true;
  report.analysis.controls = "the same code twice agrees within ±5 us";
  report.analysis.answer = {"trainer costs 39 us.", "That is 2.3 % of its step."};
  report.analysis.how_sure = {"One launch, 40 pairs.", "Data: generated."};
  report.analysis.foms = {{"step", 1.5, "ms"}, {"overhead", 39, "us", 33, 44.5}};
  report.page = "/r/report.html";
  EXPECT_EQ(printed(report, {}),
            "cell  arm      reference step  cost per step      share of the step    verdict  resolves\n"
            "null  trainer  1.7 ms          +39 us [+33, +44]  +2.3 % [+1.9, +2.6]  slower   10 us\n"
            "arms: trainer: a wrapper\n"
            "controls: the same code twice agrees within ±5 us\n"
            "\n"
            "trainer costs 39 us.\n"
            "That is 2.3 % of its step.\n"
            "How sure: One launch, 40 pairs.\n"
            "Data: generated.\n"
            "What next? `ddpbench run claim` (about 20 minutes) tells which feature costs how much, and what to switch off.\n"
            "report: /r/report.html\n"
            "FOM step = 1.500 ms\n"
            "FOM overhead = 39.00 us [33.00, 44.50]\n");
  report.analysis.banner = {"This machine was busy."};
  EXPECT_THAT(printed(report, {}), testing::StartsWith("This machine was busy.\n\ncell  arm")) << "before any figure";
  const auto on_terminal = printed(report, {{200, true}, true, true});
  EXPECT_THAT(on_terminal, Not(HasSubstr("FOM"))) << "they are for programs that read a log";
  EXPECT_THAT(on_terminal, HasSubstr("\033[31mslower\033[0m   10 us\n  null, trainer: beyond\n"));
}

TEST(RunEnd, ANarrowTerminalGetsLinesThatFit) {
  auto report = with_one_verdict();
  report.analysis.table.rows = {
      {"null", "trainer", "1.7 ms", "+39 us [+33, +44]", "+2.3 % [+1.9, +2.6]", "slower", "10 us", "SLOWER", "beyond"}};
  const auto text = printed(report, {{60, false}, true, false});
  EXPECT_THAT(
      text,
      StartsWith("null, trainer: slower\n  +39 us [+33, +44] of a step of 1.7 ms\n  +2.3 % [+1.9, +2.6], resolves 10 us\n"));
}

TEST(RunEnd, ALogHasNoColour) {
  EXPECT_FALSE(view_of(-1).screen.has_colour);
  EXPECT_EQ(view_of(-1).screen.columns, 0U);
}

}  // namespace
}  // namespace ddpbench
