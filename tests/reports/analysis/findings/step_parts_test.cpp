#include "reports/analysis/findings/step_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/answer/bottleneck_phrases.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "suite/contract/tables/metrics.hpp"
#include "tests/reports/analysis/resolved_study.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr int kBlocksOfParts = 30;
constexpr double kBlockSteps = 4;

// Seconds per step; what is left of the step is the host's.
struct MadeUpStep {
  double step_s = 0.1, compute_s = 0.08, data_s = 0.005;  // both with the waits in them
  std::vector<double> waits_s{0.002, 0.002};              // of each rank, in the backward pass
};

ArmSamples arm_with_steps(const std::string& name, const MadeUpStep& made) {
  ArmSamples arm;
  arm.arm = name;
  const auto factor = [](int block) { return 1 + 0.01 * (block % 3); };  // the host drifts
  for (const double wait_s : made.waits_s) {
    auto& rank = arm.ranks.emplace_back();
    for (int block = 1; block <= kBlocksOfParts; ++block) {
      rank.steps.at(block, 1) = {made.step_s * factor(block), made.step_s * factor(block)};
      BlockTimes times;
      times.fill(kNotMeasured);
      times[index_of(Clock::kWall)] = made.step_s * factor(block);
      rank.block_means.push_back(times);
      rank.comm_waits_s.push_back(wait_s * factor(block));
      rank.sums.add({made.step_s * factor(block), (made.step_s - wait_s) * factor(block), 1});
    }
  }
  const auto rows = kBlockSteps * static_cast<double>(made.waits_s.size());
  for (int block = 1; block <= kBlocksOfParts; ++block) {
    auto& sums = arm.block_phases.emplace_back();
    sums.step_s = rows * made.step_s * factor(block);
    sums.compute_s = rows * made.compute_s * factor(block);
    sums.data_s = rows * made.data_s * factor(block);
    sums.rows = static_cast<std::int64_t>(rows);
  }
  find_series(arm, 0);
  return arm;
}

using MadeUpArms = std::vector<std::pair<std::string, MadeUpStep>>;

// Launches differ by 1 % each.
Study study_of_steps(const MadeUpArms& arms, int launches = 3) {
  Study study;
  auto& cell = study.cells.emplace_back();
  cell.axes.cell_id = "C1";
  cell.axes.ranks_per_node = static_cast<std::int64_t>(arms.front().second.waits_s.size());
  cell.label = "null";
  for (const auto& [name, made] : arms) cell.arms.push_back(name);
  for (int i = 0; i < launches; ++i) {
    auto& launch = cell.launches.emplace_back();
    launch.launch_id = "L" + std::to_string(i);
    for (auto [name, made] : arms) {
      auto& run = launch.runs.emplace_back();
      run.arm = name;
      run.repetition = i;
      run.status = status::kOk;
      const double slower = 1 + 0.01 * i;
      for (auto* seconds : {&made.step_s, &made.compute_s, &made.data_s}) *seconds *= slower;
      for (auto& wait_s : made.waits_s) wait_s *= slower;
      launch.samples.arms.push_back(arm_with_steps(name, made));
    }
  }
  return resolved(std::move(study));
}

OverheadRow cost_row(const std::string& arm, double us) {
  OverheadRow row;
  row.cell_id = "C1";
  row.arm = arm;
  row.clock = clock_name::kWall;
  row.overhead_us = {us, 0.9 * us, 1.1 * us, 3};
  return row;
}

struct FoundParts {
  std::vector<StepPartRow> rows;
  std::vector<std::string> sentences;
};

FoundParts parts_in(const Study& study, const std::vector<OverheadRow>& overhead = {}) {
  const Findings findings(study, overhead);
  return {findings.rows<StepPartRow>(), bottleneck_sentences(findings)};
}

const StepPartRow& part_of(const FoundParts& found, const std::string& arm, StepPart part) {
  for (const auto& row : found.rows) {
    if (row.arm == arm && row.part == kStepPartNames[index_of(part)]) return row;
  }
  throw Error("no such row");
}

std::vector<std::string> bottleneck_in(const FoundParts& found, const std::string& arm) {
  std::vector<std::string> names;
  for (const auto& row : found.rows) {
    if (row.arm == arm && row.is_bottleneck) names.push_back(row.part);
  }
  return names;
}

TEST(StepParts, AddUpToTheStep) {
  const auto found = parts_in(study_of_steps({{"raw", {0.1, 0.07, 0.01, {0.02, 0.01}}}}));
  ASSERT_THAT(found.rows, SizeIs(kStepParts));
  double sum_ms = 0, shares = 0;
  for (const auto& row : found.rows) {
    sum_ms += row.ms.value;
    shares += row.share;
    EXPECT_LE(row.ms.lo, row.ms.value) << row.part;
    EXPECT_GE(row.ms.hi, row.ms.value) << row.part;
    EXPECT_EQ(row.launches, 3);
  }
  EXPECT_NEAR(sum_ms, found.rows[0].step_ms.value, 1e-9);
  EXPECT_NEAR(shares, 1, 1e-12);
  EXPECT_NEAR(part_of(found, "raw", StepPart::kCompute).share, 0.55, 1e-9) << "without the mean wait";
}

TEST(StepParts, WaitsInOtherPhasesAreTakenFromThere) {
  auto study = study_of_steps({{"raw", {0.1, 0.07, 0.02, {0.01, 0.01}}}});
  for (auto& launch : study.cells[0].launches)
    launch.metrics.push_back({launch.launch_id, "raw", 0, "comm_wait_data_s", 0.01, "s"});
  const auto found = parts_in(study);
  EXPECT_NEAR(part_of(found, "raw", StepPart::kCompute).share, 0.7, 1e-9);
  EXPECT_NEAR(part_of(found, "raw", StepPart::kData).share, 0.1, 1e-9);
}

TEST(StepParts, NameASlowLoader) {
  const auto found = parts_in(study_of_steps({{"raw", {0.1, 0.05, 0.04, {0.002, 0.002}}}}));
  EXPECT_THAT(bottleneck_in(found, "raw"), ElementsAre("data"));
  EXPECT_THAT(found.sentences, ElementsAre(AllOf(StartsWith("null on 2 ranks: a step takes 10"),
                                                 HasSubstr("; 48 % of it is compute, 40 % data: a loader that is "
                                                           "never waited for would save at most 4"))));
}

TEST(StepParts, ATraceSaysTheSameOrAnotherPart) {
  auto study = study_of_steps({{"raw", {0.1, 0.05, 0.04, {0.002, 0.002}}}});
  const auto traced = [&](double data, double host) {
    study.trace_parts.clear();
    for (const std::int64_t rank : {0, 1}) {
      study.trace_parts.push_back({"L9", "C1", "raw", rank, 10, "step", 1000, 1});
      study.trace_parts.push_back({"L9", "C1", "raw", rank, 10, "operations", 500, 0.5});
      study.trace_parts.push_back({"L9", "C1", "raw", rank, 10, "data", 1000 * data, data});
      study.trace_parts.push_back({"L9", "C1", "raw", rank, 10, "host between operations", 1000 * host, host});
    }
    return parts_in(study).sentences;
  };
  EXPECT_THAT(traced(0.4, 0.1),
              ElementsAre(HasSubstr(". A trace (2 ranks, 10 steps each) shows the same part: 40 % of its step is data.")));
  EXPECT_THAT(traced(0.1, 0.4),
              ElementsAre(HasSubstr(
                  " shows another part: 40 % of its step is host, 10 % data; which of them limits the step is undecided.")));
}

TEST(StepParts, ATraceOfAnotherArmHasASentenceOfItsOwn) {
  auto study = study_of_steps({{"raw", {0.1, 0.05, 0.04, {0.002, 0.002}}}, {"trainer", {0.1, 0.05, 0.04, {0.002, 0.002}}}});
  study.trace_parts.push_back({"L9", "C1", "trainer", 0, 10, "step", 1000, 1});
  study.trace_parts.push_back({"L9", "C1", "trainer", 0, 10, "operations", 900, 0.9});
  EXPECT_THAT(parts_in(study).sentences, ElementsAre(testing::Not(HasSubstr("trace")),
                                                     StartsWith("null on 2 ranks, trainer: in a trace (1 rank, 10 steps)")));
}

TEST(StepParts, ATraceThatFindsLessComputeSaysTheSame) {
  auto study = study_of_steps({{"raw", {0.1, 0.095, 0.002, {0, 0}}}});
  study.trace_parts.push_back({"L9", "C1", "raw", 0, 10, "step", 1000, 1});
  study.trace_parts.push_back({"L9", "C1", "raw", 0, 10, "operations", 700, 0.7});
  study.trace_parts.push_back({"L9", "C1", "raw", 0, 10, "host between operations", 300, 0.3});
  EXPECT_THAT(parts_in(study).sentences, ElementsAre(HasSubstr(" shows the same part: 70 % of its step is compute.")));
}

TEST(StepParts, NameACollectiveThatWaits) {
  const auto found = parts_in(study_of_steps({{"raw", {0.1, 0.09, 0.005, {0.04, 0.04}}}}));
  EXPECT_THAT(bottleneck_in(found, "raw"), ElementsAre("exposed communication"));
  EXPECT_THAT(found.sentences,
              ElementsAre(HasSubstr("50 % of it is compute, 40 % exposed communication: an ideal network would save at most 4")));
  EXPECT_NEAR(part_of(found, "raw", StepPart::kSkew).ms.value, 0, 1e-9);
}

TEST(StepParts, OfASlowLinkAnIdealNetworkShowsWhatItCosts) {
  const auto found =
      parts_in(study_of_steps({{"raw", {0.1, 0.09, 0.005, {0.04, 0.04}}}, {"raw+ideal", {0.07, 0.06, 0.005, {0, 0}}}}));
  const auto& row = part_of(found, "raw", StepPart::kCommunication);
  EXPECT_EQ(row.measured_by, "raw+ideal");
  EXPECT_NEAR(row.saves_ms.value, 30.6, 0.3);
  EXPECT_THAT(found.sentences,
              ElementsAre(AllOf(HasSubstr("an ideal network would save at most 3"), HasSubstr(" (measured by raw+ideal)."))));
}

TEST(StepParts, NameOneSlowRank) {
  const auto found = parts_in(study_of_steps({{"raw", {0.1, 0.09, 0.005, {0.05, 0.05, 0.05, 0.002}}}}));
  EXPECT_THAT(bottleneck_in(found, "raw"), ElementsAre("waiting for a slower rank"));
  const auto& row = part_of(found, "raw", StepPart::kSkew);
  EXPECT_NEAR(row.share, 0.36, 1e-9) << "98 ms of its own, less 62 of the mean rank";
  EXPECT_EQ(row.slowest_rank, "3");
  EXPECT_THAT(
      found.sentences,
      ElementsAre(HasSubstr(" % of it is compute, 36 % waiting for a slower rank (rank 3 is slow): ranks that are equally fast "
                            "would save at most 3")));
}

TEST(StepParts, NameAnArmThatIsBoundByItsHost) {
  const MadeUpArms arms{{"raw", {0.1, 0.095, 0.002, {0, 0}}}, {"trainer", {0.15, 0.095, 0.002, {0, 0}}}};
  const auto found = parts_in(study_of_steps(arms), {cost_row("trainer", 50000)});
  EXPECT_THAT(bottleneck_in(found, "raw"), ElementsAre("compute"));
  EXPECT_THAT(bottleneck_in(found, "trainer"), ElementsAre("host"));
  EXPECT_THAT(found.sentences, ElementsAre(AllOf(HasSubstr("95 % of it is compute"), HasSubstr("all else together takes 5")),
                                           AllOf(StartsWith("null on 2 ranks, trainer: "),
                                                 HasSubstr(" % host: the loop by hand would save at most "
                                                           "50 ms [45, 55] (measured by raw)"))));
}

TEST(StepParts, NameTwoThatCannotBeToldApart) {
  auto study = study_of_steps({{"raw", {0.1, 0.05, 0.02, {0, 0}}}});
  int i = 0;
  for (auto& launch : study.cells[0].launches) {  // data and host change places from launch to launch
    for (auto& block : launch.samples.arms[0].block_phases) block.data_s *= i == 0 ? 1 : 1.6;
    ++i;
  }
  const auto found = parts_in(study);
  EXPECT_THAT(bottleneck_in(found, "raw"), ElementsAre("data", "host"));
  EXPECT_THAT(found.sentences,
              ElementsAre(AllOf(HasSubstr(" % of it is compute, "), HasSubstr(" (parts as large cannot be told apart): "))));
}

TEST(StepParts, SayWhatTheStepSpentWithoutACore) {
  auto study = study_of_steps({{"raw", {}}});
  for (auto& launch : study.cells[0].launches) {
    for (auto& block : launch.samples.arms[0].block_phases) block.run_delay_s = 0.6 * block.step_s;
  }
  const auto found = parts_in(study);
  EXPECT_NEAR(found.rows[0].without_core_ms.value, 0.6 * found.rows[0].step_ms.value, 1e-9);
  EXPECT_THAT(found.sentences,
              ElementsAre(HasSubstr(": a step takes 102 ms of wall time, 61 ms of it without a core for its threads; ")));
  for (auto& launch : study.cells[0].launches) {
    for (auto& block : launch.samples.arms[0].block_phases) block.run_delay_s = kNotMeasured;
  }
  const auto unread = parts_in(study);
  EXPECT_TRUE(std::isnan(unread.rows[0].without_core_ms.value));
  EXPECT_THAT(unread.sentences, ElementsAre(HasSubstr(": a step takes 102 ms; ")));
}

TEST(StepParts, OfOneRankNobodyWaits) {
  const auto found = parts_in(study_of_steps({{"raw", {0.1, 0.05, 0.04, {kNotMeasured}}}}));
  ASSERT_THAT(found.rows, SizeIs(3));
  EXPECT_THAT(found.sentences, ElementsAre(StartsWith("null on 1 rank: ")));
}

TEST(StepParts, WithoutWaitsNothingIsSaid) {
  const auto found = parts_in(study_of_steps({{"raw", {0.1, 0.05, 0.04, {kNotMeasured, kNotMeasured}}}}));
  EXPECT_THAT(found.rows, IsEmpty());
  EXPECT_THAT(found.sentences, IsEmpty());
}

TEST(StepParts, BesideADeviceOnlyAnIdealNetworkSaysSomething) {
  auto study = study_of_steps({{"raw", {}}, {"raw+ideal", {}}});
  for (auto& launch : study.cells[0].launches) {
    for (auto& arm : launch.samples.arms) {
      for (auto& rank : arm.ranks) {
        for (auto& times : rank.block_means) times[index_of(Clock::kDevice)] = arm.arm == "raw" ? 0.05 : 0.04;
      }
    }
  }
  find_families(study);
  const auto found = parts_in(study);
  ASSERT_THAT(found.rows, SizeIs(1));
  EXPECT_NEAR(found.rows[0].ms.value, 10, 1e-6);
  EXPECT_THAT(found.sentences, ElementsAre(AllOf(HasSubstr("an ideal network would save at most 10 ms"),
                                                 HasSubstr("do not see the device's other parts; a trace does"))));
  study.trace_parts.push_back({"L9", "C1", "raw", 0, 10, "step", 1000, 1});
  study.trace_parts.push_back({"L9", "C1", "raw", 0, 10, "operations", 700, 0.7});
  study.trace_parts.push_back({"L9", "C1", "raw", 0, 10, "idle: data", 300, 0.3});
  EXPECT_THAT(
      parts_in(study).sentences,
      ElementsAre(HasSubstr(" A trace (1 rank, 10 steps) shows all parts: 70 % of the step is compute, 30 % data, 0.0 % host.")));
}

}  // namespace
}  // namespace ddpbench
