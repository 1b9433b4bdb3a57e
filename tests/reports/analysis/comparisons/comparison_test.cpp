#include "reports/analysis/comparisons/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/verdicts/overhead.hpp"
#include "suite/contract/status.hpp"
#include "tests/reports/analysis/resolved_study.hpp"

namespace ddpbench {
namespace {

constexpr double kStep = 1e-3;
constexpr int kBlocksOfARun = 20, kStepsOfABlock = 4;

// Cost of an arm on a rank, seconds.
using CostOf = std::function<double(const std::string& arm, std::size_t rank)>;

ArmSamples samples_of(const std::string& arm, std::size_t ranks, const CostOf& cost_s) {
  ArmSamples samples;
  samples.arm = arm;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    auto& of_rank = samples.ranks.emplace_back();
    for (int block = 1; block <= kBlocksOfARun; ++block) {
      const double jitter_s = 1e-8 * (block * 7 % 5);
      const double step_s = kStep + cost_s(arm, rank) + (arm == "raw" ? 0 : jitter_s);
      for (int step = 1; step <= kStepsOfABlock; ++step) of_rank.steps.at(block, step) = {step_s, step_s};
      BlockTimes times;
      times.fill(step_s);
      times[index_of(Clock::kDevice)] = kNotMeasured;
      of_rank.block_means.push_back(times);
    }
  }
  find_series(samples, static_cast<std::int64_t>(ranks));
  count_block_times(samples, static_cast<std::int64_t>(ranks));
  return samples;
}

Launch launch_of(std::size_t ranks, const CostOf& cost_s) {
  Launch launch;
  for (const auto* arm : {"raw", "raw_again", "trainer"}) {
    auto& run = launch.runs.emplace_back();
    run.arm = arm;
    run.status = status::kOk;
    run.super_blocks = kBlocksOfARun;
    launch.samples.arms.push_back(samples_of(arm, ranks, cost_s));
  }
  return launch;
}

Cell cell_of(const std::string& id, std::size_t ranks, const std::vector<CostOf>& launches) {
  Cell cell;
  cell.axes.cell_id = cell.label = id;
  cell.axes.ranks_per_node = static_cast<std::int64_t>(ranks);
  cell.arms = {"raw", "raw_again", "trainer"};
  for (const auto& cost_s : launches) cell.launches.push_back(launch_of(ranks, cost_s));
  return cell;
}

// Each launch of two ranks has another error of its A/A pair on rank 0. Rank 2 of the larger cell stands where the smaller cell has that
// error, when quantities are counted one after the other.
TEST(Comparison, LaunchesDifferRankByRankWhateverOtherCellsHave) {
  const auto error_s = [](double us) {
    return [us](const std::string& arm, std::size_t rank) { return arm == "raw_again" && rank == 0 ? 1e-6 * us : 0; };
  };
  const auto cost_of_rank_2 = [](const std::string& arm, std::size_t rank) { return arm == "trainer" && rank == 2 ? 20e-6 : 0; };
  Study study;
  study.cells = {cell_of("two", 2, {error_s(0), error_s(200)}), cell_of("four", 4, {cost_of_rank_2, cost_of_rank_2})};
  const auto rows = overhead_rows(resolved(std::move(study)));
  const auto row = std::find_if(rows.begin(), rows.end(), [](const OverheadRow& found) {
    return found.cell_id == "four" && found.arm == "trainer" && found.clock == "thread_cpu";
  });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->largest_rank, 2);
  EXPECT_NEAR(row->largest_rank_us.value, 20, 0.1);
  EXPECT_LT(row->largest_rank_us.hi - row->largest_rank_us.lo, 1);
}

TEST(Comparison, TheTimeOfASuperBlockHoldsItsDiscardedSteps) {
  const auto nothing = [](const std::string&, std::size_t) { return 0.0; };
  auto cell = cell_of("C1", 1, {nothing});
  cell.settings.protocol.block_steps = kStepsOfABlock;
  auto& launch = cell.launches[0];
  launch.samples.host.wall_s = 10;  // of all timed steps
  launch.runs.front().wall_s = 17;
  Study study;
  study.cells = {cell};
  const auto of = [&](const Study& resolved_study) {
    return compare(resolved_study.cells[0], "trainer", "raw_again", Clock::kThreadCpu, {});
  };
  EXPECT_NEAR(of(resolved(study)).super_block_s, 10 * 1.25 / kBlocksOfARun, 1e-9)
      << "one step of a block, where none was recorded";
  for (auto& arm : study.cells[0].launches[0].samples.arms) {
    for (int block = 1; block <= kBlocksOfARun; ++block) arm.ranks[0].discarded_steps.at(block, 2) = {kStep, kStep};
  }
  const auto two = of(resolved(study));
  EXPECT_NEAR(two.super_block_s, 10 * 1.5 / kBlocksOfARun, 1e-9);
  EXPECT_NEAR(two.set_up_s, 17 - 15, 1e-9);
}

}  // namespace
}  // namespace ddpbench
