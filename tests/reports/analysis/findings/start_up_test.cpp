#include "reports/analysis/findings/start_up.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "suite/contract/tables/metrics.hpp"

namespace ddpbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

// A cell of so many ranks whose launches took these times on their first rank, and a tenth longer on another.
Cell cell_of_backend(const std::string& backend, std::int64_t ranks, const std::vector<double>& seconds) {
  Cell cell;
  cell.axes.cell_id = backend + std::to_string(ranks);
  cell.axes.workload = "null";
  cell.axes.strategy = "ddp";
  cell.axes.precision = "fp32";
  cell.axes.backend = backend;
  cell.axes.ranks_per_node = ranks;
  cell.axes.batch_size_per_rank = 64 / ranks;  // the global batch stays
  for (const double of_launch : seconds) {
    auto& launch = cell.launches.emplace_back();
    for (const double value : {of_launch, 1.1 * of_launch})
      launch.metrics.push_back({"", "", 0, std::string(kMetrics.seconds_to_first_step_of_launch.name), value, "s"});
  }
  return cell;
}

TEST(StartUp, SizesOfABackendAreAGroupWithTheirGrowth) {
  Study study;
  study.cells = {cell_of_backend("gloo", 8, {8, 8}), cell_of_backend("gloo", 2, {2, 2, 2}), cell_of_backend("mpi", 2, {1}),
                 cell_of_backend("gloo", 4, {4})};
  const auto rows = start_up_rows(study);
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[0].group, "null, ddp, gloo");
  EXPECT_EQ(rows[0].world_size, 2) << "the smallest first";
  EXPECT_NEAR(rows[0].seconds, 2.1, 1e-12);
  EXPECT_NEAR(rows[0].longest_s, 2.2, 1e-12);
  EXPECT_EQ(rows[0].launches, 3);
  EXPECT_NEAR(rows[2].growth, 1, 1e-9) << "twice as long with twice as many";
  EXPECT_EQ(rows[3].group, "null, ddp, mpi");
  EXPECT_TRUE(std::isnan(rows[3].growth)) << "one size says nothing";
}

TEST(StartUp, AFolderThatDidNotTimeItHasNoRows) {
  Study study;
  study.cells = {cell_of_backend("gloo", 2, {})};
  EXPECT_THAT(start_up_rows(study), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
