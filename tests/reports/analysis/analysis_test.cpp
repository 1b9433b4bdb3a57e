#include "reports/analysis/analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/analysis/answer/summary.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Table = std::vector<std::vector<std::string>>;

class Analysis : public AnalysedRun {
 protected:
  // Rows of a table of the run, header first; none of these fields holds a comma.
  Table table(const std::string& name) const {
    Table rows;
    std::istringstream lines(read_file(path_ + "/tables/" + name));
    for (std::string line; std::getline(lines, line);) {
      auto& row = rows.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    }
    return rows;
  }
  nlohmann::ordered_json summary() const { return nlohmann::ordered_json::parse(read_file(path_ + "/tables/summary.json")); }
};

TEST_F(Analysis, FindsWhatWasPlantedWithoutNoise) {
  const auto result = analyse_launches({SyntheticLaunch{}});
  const auto& thread = find(result, "trainer", "thread_cpu");
  EXPECT_NEAR(thread.overhead_us.value, 5, 1e-9);
  EXPECT_NEAR(thread.overhead_us.lo, 5, 1e-9);
  EXPECT_NEAR(thread.overhead_us.hi, 5, 1e-9);
  EXPECT_NEAR(thread.overhead_us_of_means, 5, 1e-9);
  EXPECT_NEAR(thread.overhead_percent.value, 5, 1e-9);  // of the 100 us that the user waits for
  EXPECT_NEAR(thread.step_us, 100, 1e-9);
  EXPECT_NEAR(thread.reference_step_us, 0.5 * (80 + 79.2), 1e-9);  // mean over the ranks
  EXPECT_NEAR(thread.largest_rank_us.value, 5, 1e-9);
  EXPECT_TRUE(std::isnan(find(result, "trainer", "wall").largest_rank_us.value));  // the slowest rank's wall time is the step's
  EXPECT_EQ(thread.pairs, 40);
  EXPECT_EQ(thread.launches, 1);
  EXPECT_NEAR(thread.aa_lo, 0, 1e-9);
  EXPECT_NEAR(thread.injected_us, 100, 1e-9);
  EXPECT_NEAR(thread.injected_true_us, 100, 1e-9);
  EXPECT_EQ(thread.verdict, verdict::kSlower);
  EXPECT_NEAR(find(result, "trainer", "wall").overhead_percent.value, 5, 1e-9);
  EXPECT_NEAR(find(result, "trainer", "process_cpu").overhead_us.value, 5, 1e-9);
  EXPECT_EQ(result.overhead.size(), 12U);  // three arms on four clocks
  EXPECT_EQ(result.primary_clock, "awaited");
}

TEST_F(Analysis, FindsWhatWasPlantedUnderNoise) {
  SyntheticLaunch launch;
  launch.noise = 0.05;
  launch.super_blocks = 1000;
  const auto row = find(analyse_launches({launch}), "trainer", "thread_cpu");
  EXPECT_LT(row.overhead_us.lo, 5);
  EXPECT_GT(row.overhead_us.hi, 5);
  EXPECT_LT(row.overhead_us.hi - row.overhead_us.lo, 1);
  EXPECT_EQ(row.verdict, verdict::kSlower);
}

TEST_F(Analysis, SeveralLaunchesGiveATIntervalOfTheirEstimates) {
  std::vector<SyntheticLaunch> launches(3);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].launch_id = "L000" + std::to_string(i + 1);
    launches[i].arms[2].second = 4 + static_cast<double>(i);  // 4, 5 and 6 us
  }
  const auto result = analyse_launches(launches);
  const auto row = find(result, "trainer", "thread_cpu");
  EXPECT_EQ(row.launches, 3);
  EXPECT_EQ(row.pairs, 120);
  EXPECT_NEAR(row.overhead_percent.value, 5, 1e-9);
  const auto expected_us = t_interval(std::vector<double>{4, 5, 6});
  EXPECT_NEAR(row.overhead_us.lo, expected_us.lo, 1e-9);
  EXPECT_NEAR(row.overhead_us.hi, expected_us.hi, 1e-9);
}

TEST_F(Analysis, OnlyLaunchesWhoseTimesCountAreEstimated) {
  std::vector<SyntheticLaunch> launches(4);
  const std::array statuses{status::kOk, status::kFailed, status::kWrongResult, status::kPartial};
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].launch_id = "L000" + std::to_string(i + 1);
    launches[i].status = statuses[i];
    launches[i].reason = i == 0 ? "" : "because " + std::to_string(i);
    launches[i].arms[2].second = i == 1 || i == 2 ? 500 : 5;
  }
  launches.push_back(launches[0]);
  launches[4].launch_id = "L0005";
  launches[4].status = status::kPlanned;
  const auto result = analyse_launches(launches);
  EXPECT_NEAR(find(result, "trainer", "wall").overhead_us.value, 5, 1e-9);
  EXPECT_EQ(find(result, "trainer", "wall").launches, 2);
  EXPECT_EQ(result.counts,
            (std::map<std::string, int>{{"failed", 1}, {"ok", 1}, {"partial", 1}, {"planned", 1}, {"wrong_result", 1}}));
  EXPECT_EQ(result.answer.back(), "Launches that did not end well: 1 failed, 1 partial, 1 never ran, 1 wrong_result.");
  const auto points = table("points.csv");
  EXPECT_EQ(points.size(), 1U + 4 * 4);
  EXPECT_THAT(points, Contains(ElementsAre("L0002", "C1", "trainer", "failed", "because 1")));
  EXPECT_THAT(points, Contains(ElementsAre("L0005", "C1", "raw", "planned", "it never ran")));
  EXPECT_THAT(result.headlines.front(), HasSubstr("launch L0002, raw: failed: because 1"));
}

TEST_F(Analysis, FewerThanSixPairsGiveNoEstimate) {
  SyntheticLaunch launch;
  launch.super_blocks = 5;
  const auto result = analyse_launches({launch});
  EXPECT_TRUE(std::isnan(find(result, "trainer", "wall").overhead_us.value));
  EXPECT_EQ(find(result, "trainer", "wall").verdict, verdict::kUnmeasurable);
  EXPECT_THAT(result.answer.front(), HasSubstr("fewer than six pairs"));
  EXPECT_EQ(result.report_needs, "");  // the steps can be drawn
}

TEST_F(Analysis, TheAnswerTakesTheConstantFromTheShortStepToTheLongOne) {
  SyntheticLaunch small;
  SyntheticLaunch large;
  large.launch_id = "L0002";
  large.cell_id = "C2";
  large.workload = "resnet50_cifar10";
  large.step_us = 1.31e6;
  large.noise = 0.1;
  large.super_blocks = 20;
  const auto result = analyse_launches({large, small});
  EXPECT_THAT(result.answer,
              testing::AllOf(testing::Contains(HasSubstr("trainer costs 5.0 us per step over raw DDP")),
                             testing::Contains(StartsWith("Of the step of resnet50_cifar10 (1.3 s) it would cost less"))));
  EXPECT_THAT(result.headlines, testing::SizeIs(2));
  EXPECT_THAT(result.without_verdict, ElementsAre(StartsWith("trainer on C2: between -")));
  EXPECT_THAT(fom_lines(result.foms),
              AllOf(HasSubstr("FOM step_ms.resnet50_cifar10.raw = 13"), HasSubstr("FOM overhead_us.null.trainer.thread_cpu = "),
                    HasSubstr("]\n"), Not(HasSubstr("process_cpu")), Not(HasSubstr("injected"))));
  ASSERT_EQ(result.table.rows.size(), 2U);
  EXPECT_EQ(result.table.rows[1].cell, "resnet50_cifar10");
}

// Five step lengths, c = 4 us and s = 0.01 of the step that the ranks await.
TEST_F(Analysis, TheAnswerGivesTheStepTimeLawWhereThereIsOne) {
  std::vector<SyntheticLaunch> launches(5);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    auto& launch = launches[i];
    launch.launch_id = "L000" + std::to_string(i + 1);
    launch.cell_id = "C" + std::to_string(i + 1);
    launch.options = "matmuls=" + std::to_string(i);
    launch.step_us = 100 * std::pow(2, static_cast<double>(i));
    launch.arms[2].second = 4 + 0.01 * launch.step_us;
  }
  const auto result = analyse_launches(launches);
  EXPECT_THAT(
      result.answer,
      testing::AllOf(
          testing::Contains(StartsWith("trainer costs 5.0 us")),
          testing::Contains(StartsWith("Of the step of null, matmuls=4 (1.6 ms) it costs 1.3 % (1.3 to 1.3 %), measured there")),
          testing::Contains(StartsWith("trainer is 5 % of a step of 100.00 us (99.951 to 100.05 us)"))));
  const auto laws = table("step_time_law.csv");
  EXPECT_EQ(laws.size(), 1U + 3 * 4);  // three arms on four clocks
  EXPECT_EQ(laws[0].size(), 23U);
  const auto curve = table("step_time_curve.csv");
  EXPECT_EQ(curve.size(), 1U + 12 * (5 + 41));
  EXPECT_THAT(read_file(path_ + "/tables/step_time_law.csv"),
              HasSubstr("\"null, ddp, gloo, fp32, 1 node, 2 ranks per node\",trainer,"));
}

TEST_F(Analysis, TooFewStepLengthsLeaveSNotMeasured) {
  std::vector<SyntheticLaunch> launches(2);
  launches[1].launch_id = "L0002";
  launches[1].cell_id = "C2";
  launches[1].options = "matmuls=1";
  launches[1].step_us = 200;
  const auto result = analyse_launches(launches);
  EXPECT_THAT(result.answer, Contains(HasSubstr("costs 2.5 % (2.5 to 2.5 %), measured there")));
  EXPECT_THAT(result.answer, Each(Not(HasSubstr("step lengths"))));
  EXPECT_THAT(read_file(path_ + "/tables/step_time_law.csv"), HasSubstr("no law: 2 step lengths with an estimate, 5 are needed"));
}

TEST_F(Analysis, AnswersAboutAnotherArmOrAboutRawAlone) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw_item", 3}};
  EXPECT_THAT(analyse_launches({launch}).answer.front(), StartsWith("raw_item costs 3.0 us"));
  SyntheticLaunch ladder;
  ladder.arms = {{"raw", 0}, {"trainer-fetch-loss", 1}, {"trainer", 7}};
  EXPECT_THAT(analyse_launches({ladder}).answer.front(), StartsWith("trainer costs 7.0 us"));
  launch.arms = {{"raw", 0}, {"raw_again", 0}};
  EXPECT_THAT(analyse_launches({launch}).answer.front(), StartsWith("raw takes 100 us per step (null"));
}

TEST_F(Analysis, NothingFinishedIsSaid) {
  SyntheticLaunch launch;
  launch.status = status::kFailed;
  launch.reason = "rank 1 died";
  launch.super_blocks = 0;
  const auto result = analyse_launches({launch});
  EXPECT_THAT(result.headlines.front(), HasSubstr("rank 1 died"));
  EXPECT_EQ(result.report_needs, "no launch finished; of 1 launch: 1 failed");
  EXPECT_THAT(result.answer, ElementsAre("There is no answer: " + result.report_needs + "."));
  EXPECT_THAT(result.overhead, IsEmpty());
  EXPECT_EQ(table("distribution.csv").size(), 1U);  // the header
}

TEST_F(Analysis, WritesTheOverheadThatItReturns) {
  const auto result = analyse_launches({SyntheticLaunch{}});
  const auto rows = read_csv_file<OverheadRow>(path_ + "/overhead.csv");
  ASSERT_EQ(rows.size(), result.overhead.size());
  EXPECT_EQ(rows[0].overhead_us.value, result.overhead[0].overhead_us.value);
  EXPECT_EQ(rows[0].reason, result.overhead[0].reason);
}

TEST_F(Analysis, CellsSayWhatTellsThemApart) {
  SyntheticLaunch a;
  a.options = "stem=cifar;data=x";
  SyntheticLaunch b = a;
  b.launch_id = "L0002";
  b.cell_id = "C2";
  b.options = "stem=imagenet;data=x";
  analyse_launches({a, b});
  const auto lines = read_file(path_ + "/tables/cells.csv");
  EXPECT_THAT(lines,
              AllOf(StartsWith("cell_id,label,workload,strategy,backend,precision,nodes,ranks_per_node,world_size,"
                               "batch_size_per_rank,global_batch_size,options,launches_ok,super_blocks,reference_step_ms\n"),
                    HasSubstr("C1,\"null, stem=cifar\",null,ddp,gloo,fp32,1,2,2,8,16,stem=cifar;data=x,1,40,0."),
                    HasSubstr("C2,\"null, stem=imagenet\",")));
}

TEST_F(Analysis, PhasesAddUpToTheMeanStep) {
  SyntheticLaunch launch;
  launch.noise = 0.1;
  launch.metrics = {{{"raw", "comm_wait_backward_s"}, 8e-6}, {{"raw", "comm_wait_wrapper_s"}, 2e-6}};
  analyse_launches({launch});
  const auto rows = table("breakdown.csv");
  EXPECT_THAT(rows.front(),
              ElementsAre("cell_id", "arm", "phase", "mean_s", "share", "in_sum", "comm_wait_s", "label", "workload", "strategy",
                          "backend", "precision", "nodes", "ranks_per_node", "batch_size_per_rank", "world_size", "options"));
  EXPECT_THAT(std::vector(rows[1].begin() + 7, rows[1].end()),
              ElementsAre("null", "null", "ddp", "gloo", "fp32", "1", "2", "8", "2"));
  const auto waits = [&](const std::string& arm, const std::string& phase) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r[1] == arm && r[2] == phase; });
    return row == rows.end() ? "no row" : row->at(6);
  };
  EXPECT_DOUBLE_EQ(std::stod(waits("raw", "backward")), 8e-6);
  EXPECT_DOUBLE_EQ(std::stod(waits("raw", "wrapper")), 2e-6);
  EXPECT_EQ(waits("trainer", "backward"), "") << "not recorded: unknown, not 0";
  std::map<std::string, double> sum_s;
  std::map<std::string, double> share;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][3].empty(), rows[i][2] == "h2d");  // not measured, not 0
    if (rows[i][5] != "1" || rows[i][3].empty()) continue;
    sum_s[rows[i][1]] += std::stod(rows[i][3]);
    share[rows[i][1]] += std::stod(rows[i][4]);
  }
  ASSERT_EQ(sum_s.size(), 4U);
  for (const auto& [arm, sum] : share) EXPECT_NEAR(sum, 1, 1e-12) << arm;
  EXPECT_NEAR(sum_s["raw"], 99.5e-6, 3e-6);  // the mean over both ranks
  EXPECT_THAT(rows, Contains(testing::Contains("comm_wait")));
}

TEST_F(Analysis, DistributionHasOnlyTheQuantilesThatNBears) {
  analyse_launches({SyntheticLaunch{}});  // 160 steps: 0.02 … 0.98, and the extremes
  const auto rows = table("distribution.csv");
  EXPECT_THAT(rows, Contains(ElementsAre("C1", "raw", "0", testing::_)));
  EXPECT_THAT(rows, Contains(ElementsAre("C1", "raw", "0.02", testing::_)));
  EXPECT_THAT(rows, Not(Contains(ElementsAre("C1", "raw", "0.015", testing::_))));
  EXPECT_THAT(rows, Contains(ElementsAre("C1", "trainer", "0.5", StartsWith("0.105"))));
  EXPECT_THAT(rows, Contains(ElementsAre("C1", "raw", "1", testing::_)));
}

TEST_F(Analysis, DriftAndTrainingLossAreBinned) {
  SyntheticLaunch launch;
  launch.super_blocks = 700;
  analyse_launches({launch});
  const auto rows = table("drift.csv");
  EXPECT_EQ(rows.size(), 1U + 4 * 234);  // bins of three
  EXPECT_THAT(rows[1], ElementsAre("C1", "L0001", "raw", "2", StartsWith("0.")));
  EXPECT_EQ(rows[234][3], "700");  // the last one is alone
  const auto losses = table("loss.csv");
  EXPECT_EQ(losses.size(), 1U + 4 * 234);
  EXPECT_THAT(losses[234], ElementsAre("C1", "L0001", "raw", "training", "700", testing::_));
}

TEST_F(Analysis, LossIsOfRankZeroBySuperBlock) {
  analyse_launches({SyntheticLaunch{}});
  const auto rows = table("loss.csv");
  EXPECT_EQ(rows.size(), 1U + 4 * 40);
  EXPECT_THAT(rows, Contains(ElementsAre("C1", "L0001", "trainer", "training", "4", "0.5")));
}

TEST_F(Analysis, SummaryHoldsWhatThePagesShow) {
  const auto result = analyse_launches({SyntheticLaunch{}});
  const auto json = summary();
  EXPECT_EQ(json["sentences"], nlohmann::ordered_json(result.answer));
  EXPECT_EQ(json["experiment"], "synthetic");
  EXPECT_EQ(json["counts"]["ok"], 1);
  EXPECT_EQ(json["confidence_percent"], 95);
  EXPECT_EQ(json["primary_clock"], "awaited");
  EXPECT_EQ(json["margin_us"], 2);
  EXPECT_EQ(json["block_steps"], 4);
  EXPECT_EQ(json["data_origins"][0], "generated");
  EXPECT_EQ(json["hosts"][0], "node1");
  EXPECT_EQ(json["started_utc"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(json["report_needs"], "");
  EXPECT_EQ(json["foms"][0]["name"], "step_ms.null.raw");
  EXPECT_EQ(json["schema_version"], kSchemaVersion);
}

TEST_F(Analysis, InstrumentationIsSaid) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw-nvtx", -0.25}, {"raw-nvtx-timers", -1}, {"trainer", 5}};
  const auto result = analyse_launches({launch});
  EXPECT_EQ(summary()["instrumentation"].size(), 2U);
  EXPECT_THAT(result.headlines, Contains(StartsWith("null: instrumentation (nvtx) costs +0.25 us")));
}

TEST_F(Analysis, AStepsSamplesAreThoseOfAllItsMicroBatches) {
  SyntheticLaunch launch;
  launch.options = "accumulate=4";
  analyse_launches({launch});
  const auto cells = table("cells.csv");
  const auto column = std::find(cells[0].begin(), cells[0].end(), "global_batch_size") - cells[0].begin();
  EXPECT_EQ(cells[1].at(static_cast<std::size_t>(column)), "64");  // 8 samples, 2 ranks, 4 micro-batches
  EXPECT_NEAR(read_csv_file<ScalingRow>(path_ + "/scaling.csv").front().samples_per_s.value, 64 / 100e-6, 1e-3);
}

TEST_F(Analysis, WhatNobodyAskedForIsSaidBeforeAnyOverhead) {
  path_ = scratch_ / "audited";
  std::vector<SyntheticLaunch> launches(2);
  launches[1].launch_id = "L0002";
  const auto folder = synthetic_folder(
      path_, launches, {{"cores", 2}, {"launches", {{"L0001", {{"torch", "2.11.0"}}}, {"L0002", {{"torch", "2.12.0"}}}}}});
  const auto result = analyse(JoinedFolders(folder), path_);
  EXPECT_THAT(result.headlines.front(), StartsWith("error: torch differs between launches of one cell"));
  EXPECT_THAT(table("audit.csv")[1][1], "error");
}

}  // namespace
}  // namespace ddpbench
