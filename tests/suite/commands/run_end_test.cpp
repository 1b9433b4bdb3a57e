#include "suite/commands/run_end.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "suite/contract/exit_code.hpp"

namespace ddpbench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

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
  print_report(report, out);
  EXPECT_THAT(out.str(), HasSubstr("over budget: trainer on c1"));
}

TEST(RunEnd, TellsTheAnswerLast) {
  auto report = with_one_verdict();
  report.analysis.answer = "c = 1.6 us";
  report.analysis.foms = {{"overhead", 1.5, "us"}};
  report.page = "/r/report.html";
  std::ostringstream out;
  print_report(report, out);
  EXPECT_THAT(out.str(), HasSubstr("FOM overhead = 1.5 us\n"));
  EXPECT_THAT(out.str(), EndsWith("report: /r/report.html\nc = 1.6 us\n"));
}

}  // namespace
}  // namespace ddpbench
