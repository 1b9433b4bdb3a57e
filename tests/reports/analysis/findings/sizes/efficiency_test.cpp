#include "reports/analysis/findings/sizes/efficiency.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/findings/sizes/scaling.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "tests/reports/analysis/resolved_study.hpp"
#include "tests/reports/analysis/synthetic_run.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// Every step of every rank alike: `useful_s` of each rank, `step_s` for all.
struct Plain {
  std::string arm = "raw";
  std::vector<double> useful_s;
  double step_s;
  double blocks_step_s = 0;  // what blocks.csv.gz says; 0: the same
};

ArmSamples samples_of(const Plain& plain) {
  constexpr int kBlocks = 20, kSteps = 4;
  ArmSamples samples;
  samples.arm = plain.arm;
  for (const double useful_s : plain.useful_s) {
    samples.ranks.emplace_back().sums = {kBlocks * kSteps * plain.step_s, kBlocks * kSteps * useful_s, kBlocks * kSteps};
  }
  for (int block = 1; block <= kBlocks; ++block) {
    for (auto& rank : samples.ranks) {
      for (int step = 1; step <= kSteps; ++step) rank.steps.at(block, step) = {plain.step_s, plain.step_s};
      BlockTimes times;
      times.fill(kNotMeasured);  // nothing was timed on a device
      times[index_of(Clock::kWall)] = plain.blocks_step_s > 0 ? plain.blocks_step_s : plain.step_s;
      rank.block_means.push_back(times);
    }
  }
  find_series(samples, 0);
  return samples;
}

Cell cell_of(const std::string& id, std::int64_t batch_size_per_rank, const std::vector<Plain>& arms) {
  Cell cell;
  cell.axes.cell_id = id;
  cell.axes.ranks_per_node = static_cast<std::int64_t>(arms.front().useful_s.size());
  cell.axes.batch_size_per_rank = batch_size_per_rank;
  cell.label = "cell " + id;
  auto& launch = cell.launches.emplace_back();
  for (const auto& arm : arms) {
    cell.arms.push_back(arm.arm);
    auto& run = launch.runs.emplace_back();
    run.arm = arm.arm;
    run.status = status::kOk;
    launch.samples.arms.push_back(samples_of(arm));
  }
  return cell;
}

Study study_of(std::vector<Cell> cells) {
  Study study;
  study.cells = std::move(cells);
  return resolved(std::move(study));
}

TEST(Efficiency, FactorsFollowFromWhatWasPlanted) {
  const auto rows = efficiency_rows(study_of({cell_of("C1", 8, {{"raw", {0.06, 0.08}, 0.1}})}));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].ranks, 2);
  EXPECT_EQ(rows[0].launches, 1);
  EXPECT_NEAR(rows[0].load_balance, 0.07 / 0.08, 1e-12);
  EXPECT_NEAR(rows[0].communication, 0.8, 1e-12);
  EXPECT_NEAR(rows[0].parallel.value, 0.7, 1e-12);
  EXPECT_EQ(rows[0].mode, "");
  EXPECT_TRUE(std::isnan(rows[0].parallel.lo));  // of one launch
  EXPECT_TRUE(std::isnan(rows[0].serialisation));
  EXPECT_TRUE(std::isnan(rows[0].global));
}

TEST(Efficiency, AnIdealNetworkSplitsCommunicationAndPricesWhatIsExposed) {
  const auto study = study_of({cell_of("C1", 8, {{"raw", {0.06, 0.08}, 0.1}, {"raw+ideal", {0.06, 0.075}, 0.085}})});
  const auto row = efficiency_rows(study).front();
  EXPECT_NEAR(row.serialisation, 0.075 / 0.085, 1e-12);
  EXPECT_NEAR(row.transfer, 0.85, 1e-12);
  EXPECT_NEAR(row.contention, 0.08 / 0.075, 1e-12);
  EXPECT_NEAR(row.serialisation * row.transfer * row.contention, row.communication, 1e-12);
  EXPECT_NEAR(row.exposed_us.value, 15'000, 1e-6);
  EXPECT_NEAR(row.exposed_us.hi, 15'000, 1e-6);
}

// 1 -> 4 ranks: weak with 8 samples each, strong with 8 in all.
TEST(Efficiency, ScalingKeepsTheIdentityStrongAndWeak) {
  const auto study =
      study_of({cell_of("one", 8, {{"raw", {0.1}, 0.1}}), cell_of("weak", 8, {{"raw", {0.1, 0.11, 0.1, 0.1}, 0.125}}),
                cell_of("strong", 2, {{"raw", {0.03, 0.03, 0.03, 0.03}, 0.05}})});
  const auto rows = efficiency_rows(study);
  ASSERT_EQ(rows.size(), 4U);  // `one` is the reference of both
  const auto& weak = rows[2];
  EXPECT_EQ(weak.mode, "weak");
  EXPECT_EQ(weak.reference_cell, "one");
  EXPECT_NEAR(weak.computation_scaling, 0.1 / 0.1025, 1e-12);
  EXPECT_NEAR(weak.global, 0.8, 1e-12);  // 0.1 / 0.125, four times the samples
  const auto& strong = rows[3];
  EXPECT_EQ(strong.mode, "strong");
  EXPECT_NEAR(strong.computation_scaling, 0.1 / 0.12, 1e-12);
  EXPECT_NEAR(strong.global, 0.5, 1e-12);  // twice as fast on four ranks
  for (const auto& row : rows) EXPECT_NEAR(row.identity_error_percent, 0, 1e-9) << row.mode;
  EXPECT_THAT(identity_failures(study, rows), IsEmpty());
}

// What one rank loses in a step it makes good in the next: the blocks take no longer, and the factors must not say so.
TEST(Efficiency, RanksThatTakeTurnsAtBeingLateKeepTheIdentity) {
  auto one = cell_of("one", 8, {{"raw", {0.1}, 0.1}});
  auto two = cell_of("weak", 8, {{"raw", {0.1, 0.1}, 0.125}});
  auto& ranks = two.launches[0].samples.arms[0].ranks;
  for (std::size_t rank = 0; rank < 2; ++rank) {
    for (std::int64_t block = 1; block <= 20; ++block) {
      for (std::int64_t step = 1; step <= 4; ++step) {
        const bool is_late = (step + static_cast<std::int64_t>(rank)) % 2 == 0;
        ranks[rank].steps.at(block, step)[index_of(Clock::kWall)] = is_late ? 0.135 : 0.115;
      }
    }
  }
  const auto rows = efficiency_rows(study_of({one, two}));
  EXPECT_NEAR(rows[1].step_us, 125'000, 1e-6);
  EXPECT_NEAR(rows[1].identity_error_percent, 0, 1e-9);
}

TEST(Efficiency, AMissOfTheIdentityIsSaid) {
  const auto study =
      study_of({cell_of("one", 8, {{"raw", {0.1}, 0.1}}), cell_of("weak", 8, {{"raw", {0.1, 0.1}, 0.125, 0.123}})});
  EXPECT_THAT(identity_failures(study, efficiency_rows(study)).front(),
              HasSubstr("raw on cell weak: the factors miss the speed-up by -1.6 %"));
}

TEST(Efficiency, FoldersAreReadRankByRank) {
  const ScratchFolder scratch;
  const auto study = read_study(JoinedFolders(synthetic_folder(scratch / "run", {SyntheticLaunch{}})));
  const auto rows = efficiency_rows(study);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].ranks, 2);
  EXPECT_NEAR(rows[0].max_useful_us, 80, 1e-6);  // a fifth of every step is waited
  EXPECT_NEAR(rows[0].load_balance, 0.995, 1e-9);
  EXPECT_NEAR(rows[0].communication, 0.8, 1e-9);
}

TEST(Efficiency, WithoutAWaitThereIsNone) {
  auto cell = cell_of("C1", 8, {{"raw", {0.1, 0.1}, 0.1}});
  for (auto& rank : cell.launches[0].samples.arms[0].ranks) rank.sums = {};
  EXPECT_THAT(efficiency_rows(study_of({cell})), IsEmpty());
}

TEST(Scaling, ThroughputSpeedUpAndEfficiency) {
  const auto rows =
      scaling_rows(study_of({cell_of("one", 8, {{"raw", {0.1}, 0.1}}), cell_of("two", 8, {{"raw", {0.1, 0.1}, 0.125}})}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[0].samples_per_s.value, 80, 1e-9);
  EXPECT_EQ(rows[0].speedup.value, 1);
  EXPECT_NEAR(rows[1].samples_per_s.value, 128, 1e-9);
  EXPECT_NEAR(rows[1].speedup.value, 1.6, 1e-12);
  EXPECT_NEAR(rows[1].efficiency.value, 0.8, 1e-12);
  EXPECT_EQ(rows[1].mode, "weak");
  EXPECT_EQ(rows[1].world_size, 2);
  EXPECT_EQ(rows[1].super_blocks, 20);
}

TEST(Scaling, WhatDiffersInMoreThanRanksHasNoReference) {
  auto other = cell_of("two", 8, {{"raw", {0.1, 0.1}, 0.125}});
  other.axes.options = "stem=x";
  const auto rows = scaling_rows(study_of({cell_of("one", 8, {{"raw", {0.1}, 0.1}}), other}));
  EXPECT_EQ(rows[1].mode, "");
  EXPECT_TRUE(std::isnan(rows[1].speedup.value));
}

// Five repetitions of two sizes; each repetition is another ten per cent slower, and the larger size is twice as fast but for chance.
Study two_sizes(double factor, std::int64_t repetitions) {
  const std::vector<double> chance{1.01, 0.99, 1.005, 0.995, 1};
  auto one = cell_of("one", 8, {{"raw", {0.1}, 0.1}}), two = cell_of("two", 8, {{"raw", {0.1, 0.1}, 0.1}});
  for (auto* cell : {&one, &two}) {
    const auto first = cell->launches.front();
    cell->launches.clear();
    for (std::int64_t i = 0; i < repetitions; ++i) {
      auto launch = first;
      for (auto& run : launch.runs) run.repetition = i;
      const double slower = std::pow(1.1, i) * (cell == &two ? factor * chance.at(static_cast<std::size_t>(i)) : 1);
      auto& series = launch.samples.arms[0].series[index_of(Clock::kWall)];
      for (auto* values : {&series.of_medians, &series.of_means}) {
        for (double& value : *values) value += std::log(slower);
      }
      cell->launches.push_back(std::move(launch));
    }
  }
  return study_of({one, two});
}

TEST(Scaling, ASizeIsFasterBeyondWhatRepetitionsDriftBy) {
  const auto rows = scaling_rows(two_sizes(0.98, 5));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[1].speedup.value,
              2 / 0.98 / std::exp((std::log(1.01) + std::log(0.99) + std::log(1.005) + std::log(0.995)) / 5), 1e-9);
  EXPECT_GT(rows[1].speedup.lo, 2);
  EXPECT_LT(rows[1].p_not_faster, 1e-6);
  EXPECT_TRUE(rows[0].is_faster && rows[1].is_faster);
  EXPECT_TRUE(std::isnan(rows[0].p_not_faster)) << "the smallest";
  EXPECT_FALSE(scaling_rows(two_sizes(1.999, 5))[1].is_faster) << "half a per mille faster, where chance is one per cent";
}

TEST(Scaling, OfOneLaunchThereIsNoInterval) {
  const auto rows = scaling_rows(two_sizes(0.5, 1));
  EXPECT_NEAR(rows[1].speedup.value, 4 / 1.01, 1e-9);
  for (const double bound : {rows[0].samples_per_s.lo, rows[1].samples_per_s.hi, rows[1].speedup.lo, rows[1].p_not_faster})
    EXPECT_TRUE(std::isnan(bound));
  EXPECT_FALSE(rows[1].is_faster);
}

}  // namespace
}  // namespace ddpbench
