#include "reports/analysis/findings/network/rank_skew.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/findings/network/slow_nodes.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "tests/reports/analysis/resolved_study.hpp"

namespace ddpbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr double kStepSeconds = 0.1;

// `useful_s` of each rank in every block; the rest of the step it waits.
LaunchSamples samples_with(const std::vector<double>& useful_s, int blocks) {
  ArmSamples arm;
  arm.arm = "raw";
  for (const double own_s : useful_s) {
    auto& rank = arm.ranks.emplace_back();
    for (int block = 1; block <= blocks; ++block) {
      const double drift = 1 + 0.05 * (block % 3);  // of the host, alike on all ranks
      rank.steps.at(block, 1) = {kStepSeconds * drift, kStepSeconds * drift};
      BlockTimes times;
      times.fill(kNotMeasured);
      times[index_of(Clock::kWall)] = kStepSeconds * drift;
      rank.block_means.push_back(times);
      rank.comm_waits_s.push_back((kStepSeconds - own_s) * drift);
    }
  }
  find_series(arm, 0);
  LaunchSamples samples;
  samples.arms.push_back(arm);
  return samples;
}

Study study_with(std::vector<std::vector<double>> launches, const std::string& hosts = "n1 n2") {
  Study study;
  auto& cell = study.cells.emplace_back();
  cell.axes.cell_id = "C1";
  cell.axes.nodes = 2;
  cell.axes.ranks_per_node = static_cast<std::int64_t>(launches.front().size()) / 2;
  cell.arms = {"raw"};
  for (const auto& useful_s : launches) {
    auto& launch = cell.launches.emplace_back();
    auto& run = launch.runs.emplace_back();
    run.arm = "raw";
    run.status = status::kOk;
    run.host_list = hosts;
    launch.samples = samples_with(useful_s, 30);
  }
  return resolved(std::move(study));
}

TEST(RankSkew, IsWhatEachRankDoesOverTheMean) {
  const auto rows = skew_rows(study_with({{0.05, 0.05, 0.05, 0.07}}));
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_NEAR(rows[3].ratio.value, 0.07 / 0.055, 1e-9);
  EXPECT_NEAR(rows[0].ratio.value, 0.05 / 0.055, 1e-9);
  EXPECT_EQ(rows[3].node, "n2");
  EXPECT_EQ(rows[1].node, "n1");
  EXPECT_EQ(rows[3].node_rank, 1);
  EXPECT_EQ(rows[3].samples, 30);
}

TEST(RankSkew, SeveralLaunchesGiveTheirScatter) {
  const auto rows = skew_rows(study_with({{0.05, 0.06}, {0.05, 0.07}, {0.05, 0.065}}));
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1].launches, 3);
  EXPECT_LT(rows[1].ratio.lo, rows[1].ratio.value);
  EXPECT_GT(rows[1].ratio.hi, rows[1].ratio.value);
}

TEST(RankSkew, WithoutWaitsNothingIsSaid) {
  auto study = study_with({{0.05, 0.06}});
  for (auto& rank : study.cells[0].launches[0].samples.arms[0].ranks) rank.comm_waits_s.assign(30, kNotMeasured);
  EXPECT_THAT(skew_rows(study), IsEmpty());
  EXPECT_THAT(nodes_of_sweep(study), IsEmpty());
}

TEST(SlowNodes, TheSweepItselfShowsAStraggler) {
  const auto rows = nodes_of_sweep(study_with({{0.05, 0.05, 0.05, 0.065}, {0.05, 0.05, 0.05, 0.066}, {0.05, 0.05, 0.05, 0.064}}));
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1].node, "n2");
  EXPECT_EQ(rows[1].finding, node_finding::kSlow);
  EXPECT_NEAR(rows[1].ratio.value, 1.3, 0.01);
  EXPECT_EQ(rows[0].finding, node_finding::kOk);
  auto profiled = study_with({{0.05, 0.05, 0.05, 0.065}, {0.05, 0.05, 0.05, 0.066}, {0.05, 0.05, 0.05, 0.064}});
  for (auto& launch : profiled.cells[0].launches) launch.runs[0].profiled = "nsys";
  EXPECT_THAT(bad_nodes(nodes_of_sweep(profiled)), SizeIs(1));
  EXPECT_THAT(nodes_of_sweep(profiled, false), IsEmpty()) << "is remembered, and a profiler may be slow on one node";
  const auto alike = nodes_of_sweep(study_with({{0.05, 0.05}, {0.05, 0.052}, {0.051, 0.05}}));
  EXPECT_THAT(bad_nodes(alike), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
