#include "reports/analysis/findings/settings/setting_comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "suite/contract/status.hpp"
#include "tests/reports/analysis/resolved_study.hpp"

namespace ddpbench {
namespace {

// A launch of raw whose every step takes `step_us` on each clock.
Launch launch_of(std::int64_t repetition, double step_us) {
  Launch launch;
  RunRow run;
  run.arm = "raw";
  run.status = status::kOk;
  run.repetition = repetition;
  launch.runs = {run};
  ArmSamples raw;
  raw.arm = "raw";
  BlockTimes times;
  times.fill(1e-6 * step_us);
  raw.ranks.emplace_back().block_means.assign(6, times);
  launch.samples.arms = {raw};
  return launch;
}

// Repetition r takes steps_us[r].
Cell cell_of(const std::string& id, const std::string& options, const std::vector<double>& steps_us) {
  Cell cell;
  cell.axes.cell_id = id;
  cell.axes.workload = "null";
  cell.axes.strategy = "ddp";
  cell.axes.options = options;
  cell.arms = {"raw"};
  for (std::size_t i = 0; i < steps_us.size(); ++i) cell.launches.push_back(launch_of(static_cast<std::int64_t>(i), steps_us[i]));
  return cell;
}

std::vector<SettingComparison> on_wall(const std::vector<Cell>& cells) {
  Study study;
  study.cells = cells;
  auto rows = compare_settings(resolved(study));
  std::erase_if(rows, [](const auto& row) { return row.clock != "wall"; });
  return rows;
}

TEST(SettingComparison, PairsByRepetitionSoThatDriftFallsOut) {
  const auto rows = on_wall(
      {cell_of("A", "bucket_cap_mb=25", {1000, 2000, 3000, 4000}), cell_of("B", "bucket_cap_mb=1", {1101, 2099, 3100, 4100})});
  ASSERT_EQ(rows.size(), 1U);
  const auto& row = rows.front();
  EXPECT_EQ(row.setting, "bucket_cap_mb");
  EXPECT_EQ(row.value, "1");
  EXPECT_EQ(row.reference_value, "25");
  EXPECT_NEAR(row.difference_us.value, 100, 1e-9);
  EXPECT_EQ(row.difference_us.n, 4U);
  EXPECT_LT(row.difference_us.hi - row.difference_us.lo, 10);
  EXPECT_EQ(row.verdict, verdict::kSlower);
}

// Ten values, each 3 % shorter than the first; the one that came out shortest is told.
TEST(SettingComparison, TheLargestOfSeveralHasTheIntervalOfTheLargest) {
  std::mt19937 generator(3);
  std::normal_distribution<double> scatter(0, 0.01);
  int held = 0, held_alone = 0;
  constexpr int kDraws = 150;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<Cell> cells;
    for (int value = 0; value <= 10; ++value) {
      std::vector<double> steps_us;
      for (int repetition = 0; repetition < 6; ++repetition)
        steps_us.push_back((value == 0 ? 1000 : 970) * (1 + scatter(generator)));
      cells.push_back(cell_of("C" + std::to_string(value), "bucket_cap_mb=" + std::to_string(25 + value), steps_us));
    }
    const auto rows = on_wall(cells);
    const auto told = std::min_element(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.difference_us.value < b.difference_us.value; });
    held += told->difference_us_together.lo <= -30 && -30 <= told->difference_us_together.hi ? 1 : 0;
    held_alone += told->difference_us.lo <= -30 && -30 <= told->difference_us.hi ? 1 : 0;
  }
  EXPECT_GE(held, 0.95 * kDraws);
  EXPECT_LT(held_alone, 0.9 * kDraws) << "as it was";
}

TEST(SettingComparison, EqualStepsAreEquivalent) {
  const auto rows = on_wall(
      {cell_of("A", "channels_last=false", {1000, 1200, 900}), cell_of("B", "channels_last=true", {1000.5, 1200, 899.5})});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().verdict, verdict::kEquivalent) << rows.front().reason;
}

TEST(SettingComparison, OneRepetitionHasNoIntervalAndNoVerdict) {
  const auto rows = on_wall({cell_of("A", "x=1", {1000}), cell_of("B", "x=2", {1500})});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NEAR(rows.front().difference_us.value, 500, 1e-9);
  EXPECT_EQ(rows.front().verdict, "");
  EXPECT_EQ(rows.front().reason, "one repetition: no interval");
}

TEST(SettingComparison, CellsThatDifferInMoreThanOneSettingAreNotCompared) {
  auto other_batch = cell_of("D", "x=2;y=1", {1000});
  other_batch.axes.batch_size_per_rank = 64;
  const auto rows =
      on_wall({cell_of("A", "x=1;y=1", {1000}), cell_of("B", "x=2;y=1", {1000}), cell_of("C", "x=2;y=2", {1000}), other_batch});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].cell_id + rows[0].reference_cell_id, "BA");
  EXPECT_EQ(rows[1].cell_id + rows[1].reference_cell_id, "CB");
  EXPECT_EQ(rows[1].setting, "y");
}

// The plan's order is drawn: what is called slower must not depend on it.
TEST(SettingComparison, ComparesWithTheValueThatTheExperimentListsFirst) {
  const auto first = cell_of("A", "bucket_cap_mb=25;view=true", {1000, 1001, 1000});
  const auto second = cell_of("B", "bucket_cap_mb=0.01;view=true", {1200, 1201, 1200});
  for (const auto& cells : {std::vector{first, second}, std::vector{second, first}}) {
    Study study;
    study.cells = cells;
    study.settings.axes = {{"bucket_cap_mb", {"25.0", "0.01"}}};
    const auto row = compare_settings(resolved(study)).front();
    EXPECT_EQ(row.reference_value, "25");
    EXPECT_NEAR(row.difference_us.value, 200, 1e-9);
    EXPECT_EQ(row.verdict, verdict::kSlower);
    EXPECT_EQ(row.comparisons, 1);
  }
}

// A cell that was skipped, or failed, is nobody's reference.
TEST(SettingComparison, AValueThatWasNotMeasuredHidesNoOther) {
  Study study;
  study.settings.axes = {{"x", {"1", "2", "3"}}};
  study.cells = {cell_of("A", "x=1", {}), cell_of("B", "x=2", {1000, 1000}), cell_of("C", "x=3", {1100, 1100})};
  const auto rows = compare_settings(resolved(study));
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) EXPECT_EQ(row.cell_id + row.reference_cell_id, "CB");
}

TEST(SettingComparison, TwoStrategiesAreComparedThoughTheirOptionsDiffer) {
  auto other = cell_of("B", "accumulate=1", {1200, 1200});
  other.axes.strategy = "single";
  const auto rows = on_wall({cell_of("A", "accumulate=1;bucket_cap_mb=25", {1000, 1000}), other});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().setting, "strategy");
  other.axes.options = "accumulate=2";
  EXPECT_TRUE(on_wall({cell_of("A", "accumulate=1;bucket_cap_mb=25", {1000, 1000}), other}).empty());
}

TEST(SettingComparison, TwoBackendsAreComparedThoughOneHasOptions) {
  auto mpi = cell_of("B", "accumulate=1;mpi_progress=thread", {1200, 1200});
  mpi.axes.backend = "mpi";
  const auto rows = on_wall({cell_of("A", "accumulate=1", {1000, 1000}), mpi});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().setting, "backend");
  mpi.axes.strategy = "single";
  EXPECT_TRUE(on_wall({cell_of("A", "accumulate=1", {1000, 1000}), mpi}).empty()) << "two differences";
}

TEST(SettingComparison, WhatOnlyMakesTheStepLongerIsNoSetting) {
  EXPECT_TRUE(on_wall({cell_of("A", "matmuls=0", {1000}), cell_of("B", "matmuls=8", {1500})}).empty());
  EXPECT_TRUE(on_wall({cell_of("A", "matmuls=0;x=1", {1000}), cell_of("B", "matmuls=8;x=2", {1500})}).empty());
}

TEST(SettingComparison, HolmAllowsForAllOfThem) {
  std::vector<Cell> cells{cell_of("A", "x=0", {1000, 1000, 1000, 1000})};
  for (int i = 1; i <= 20; ++i) {
    cells.push_back(cell_of("B" + std::to_string(i), "x=" + std::to_string(i), {1010, 1003, 1020, 1007}));
  }
  const auto rows = on_wall(cells);
  ASSERT_EQ(rows.size(), 20U);
  EXPECT_LT(rows.front().p, 0.1);
  EXPECT_NEAR(rows.front().p_holm, std::min(1.0, 20 * rows.front().p), 1e-12);
  EXPECT_EQ(rows.front().verdict, verdict::kAmbiguous);
}

}  // namespace
}  // namespace ddpbench
