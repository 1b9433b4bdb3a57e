// How many bins a launch gets in a table that follows launches.
#include "reports/analysis/tables/launch_bins.hpp"

#include <gmock/gmock.h>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

Study of_launches(std::size_t launches) {
  Study study;
  auto& cell = study.cells.emplace_back();
  cell.arms = {"raw", "trainer"};
  for (std::size_t i = 0; i < launches; ++i) {
    auto& launch = cell.launches.emplace_back();
    for (const auto& arm : cell.arms) {
      auto& run = launch.runs.emplace_back();
      run.arm = arm;
      run.status = status::kOk;
      auto& samples = launch.samples.arms.emplace_back();
      samples.arm = arm;
      samples.ranks.emplace_back().block_means.emplace_back();
    }
  }
  return study;
}

TEST(LaunchBins, AreFewerWhereThereAreManyLaunches) {
  EXPECT_EQ(launch_bins(of_launches(1)), 300U);
  EXPECT_EQ(launch_bins(of_launches(333)), 299U);
  EXPECT_EQ(launch_bins(of_launches(520)), 192U);  // 1,040 series and one more: 200,000 rows
  EXPECT_EQ(launch_bins(of_launches(20'000)), 20U);
}

TEST(LaunchBins, MergeNeighbours) {
  std::vector<LaunchPoint> points;
  for (int i = 1; i <= 400; ++i) points.push_back({i, 1.0 * i});
  const auto bins = binned(points, 192);
  ASSERT_EQ(bins.size(), 134U);  // of three
  EXPECT_EQ(bins[0].super_block, 2);
  EXPECT_EQ(bins[0].value, 2);
  EXPECT_EQ(bins.back().super_block, 400);  // alone
  EXPECT_EQ(binned(points, 400).size(), 400U);
}

}  // namespace
}  // namespace ddpbench
