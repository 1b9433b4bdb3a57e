#include "reports/analysis/findings/sizes/batch_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/contract/tables/metrics.hpp"
#include "tests/support/recorded_arms.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr double kGib = 1024;

struct MadeUp {
  std::int64_t batch = 32;
  double peak_gib = kNotMeasured;
  std::int64_t ranks_per_node = 1;
  bool on_device = true;
  double available_gib = 40;
  std::string failure{};
};

void add_to(Study& study, const MadeUp& made_up) {
  auto& cell = study.cells.emplace_back();
  cell.axes.cell_id = "C" + std::to_string(study.cells.size());
  cell.axes.workload = "resnet50_cifar10";
  cell.axes.precision = "fp32";
  cell.axes.backend = made_up.on_device ? "nccl" : "gloo";
  cell.axes.nodes = 1;
  cell.axes.ranks_per_node = made_up.ranks_per_node;
  cell.axes.batch_size_per_rank = made_up.batch;
  study.cells_by_id[cell.axes.cell_id] = study.cells.size() - 1;
  auto& launch = cell.launches.emplace_back();
  const auto add = [&](const Metric& metric, double gib) {
    launch.metrics.push_back({"L1", "", 0, std::string(metric.name), gib * kGib, "MiB"});
  };
  if (!made_up.failure.empty()) {
    study.points.push_back({"L1", cell.axes.cell_id, "raw", "failed", made_up.failure});
  } else if (made_up.on_device) {
    add(kMetrics.peak_memory, 3);
    add(kMetrics.node_memory, 180);
    add(kMetrics.peak_device_memory, made_up.peak_gib);
    add(kMetrics.device_memory, made_up.available_gib);
  } else {
    add(kMetrics.peak_memory, made_up.peak_gib);
    add(kMetrics.node_memory, made_up.available_gib);
  }
}

Study memory_study(const std::vector<MadeUp>& cells) {
  Study study;
  study.vocabulary = made_up_arms();
  for (const auto& cell : cells) add_to(study, cell);
  return study;
}

std::vector<std::string> said_of(const Study& study) { return memory_sentences(study, batch_memory_rows(study), 3); }

TEST(BatchMemory, IsALineThroughTheBatchesUpToWhatThereIs) {
  const auto rows = batch_memory_rows(
      memory_study({{.batch = 32, .peak_gib = 3}, {.batch = 64, .peak_gib = 5}, {.batch = 128, .peak_gib = 9}}));
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].where, "device");
  EXPECT_EQ(rows[0].cell_id, "C3");
  EXPECT_EQ(rows[0].batch_sizes, 3);
  EXPECT_EQ(rows[0].peak_mib, 9 * kGib);
  EXPECT_NEAR(rows[0].fixed_mib, kGib, 1e-6);
  EXPECT_NEAR(rows[0].mib_per_sample, kGib / 16, 1e-9);
  EXPECT_EQ(rows[0].largest_batch, 16 * 39);
}

TEST(BatchMemory, OnTheHostARankHasItsShareOfTheNode) {
  const auto study = memory_study({{.batch = 8, .peak_gib = 1, .ranks_per_node = 4, .on_device = false},
                                   {.batch = 16, .peak_gib = 1.5, .ranks_per_node = 4, .on_device = false}});
  const auto rows = batch_memory_rows(study);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].where, "node");
  EXPECT_EQ(rows[0].available_mib, 10 * kGib);
  EXPECT_EQ(rows[0].largest_batch, 152);
  EXPECT_THAT(said_of(study),
              ElementsAre("Memory, resnet50_cifar10, fp32: batch 16 per rank takes 1.5 of 10 GiB that a rank has of its "
                          "node; by a line through 2 batch sizes some 150 fit."));
}

TEST(BatchMemory, ABatchThatRanOutOfMemoryIsTheEnd) {
  const auto study = memory_study({{.batch = 32, .peak_gib = 3},
                                   {.batch = 64, .peak_gib = 5},
                                   {.batch = 512, .failure = "rank 0: CUDA out of memory. Tried to allocate 2 GiB"},
                                   {.batch = 1024, .failure = "rank 0: CUDA out of memory. Tried to allocate 4 GiB"}});
  const auto rows = batch_memory_rows(study);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].did_not_fit, 512);
  EXPECT_EQ(rows[0].largest_batch, 511);
  EXPECT_THAT(said_of(study),
              ElementsAre(HasSubstr("batch 64 per rank takes 5.0 of 40 GiB; by a line through 2 batch sizes some 510 fit; "
                                    "batch 512 did not fit.")));
}

TEST(BatchMemory, AnotherFailureIsNoEnd) {
  const auto rows =
      batch_memory_rows(memory_study({{.batch = 32, .peak_gib = 3}, {.batch = 64, .failure = "rank 1 was killed by signal 9"}}));
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].did_not_fit, 0);
}

TEST(BatchMemory, OneBatchTellsNoEnd) {
  const auto study = memory_study({{.batch = 32, .peak_gib = 3}});
  EXPECT_EQ(batch_memory_rows(study).at(0).largest_batch, 0);
  EXPECT_THAT(said_of(study), ElementsAre(HasSubstr("a second batch size would tell how many fit")));
}

TEST(BatchMemory, AMemoryThatDoesNotGrowTellsNoEnd) {
  const auto study = memory_study({{.batch = 32, .peak_gib = 3}, {.batch = 64, .peak_gib = 3}});
  EXPECT_EQ(batch_memory_rows(study).at(0).largest_batch, 0);
  EXPECT_THAT(said_of(study), ElementsAre(Not(HasSubstr("line"))));
}

TEST(BatchMemory, FarBeyondWhatWasMeasuredNoBatchIsNamed) {
  const auto study = memory_study({{.batch = 4, .peak_gib = 0.1}, {.batch = 8, .peak_gib = 0.2}});
  EXPECT_THAT(said_of(study), ElementsAre(HasSubstr("0.20 of 40 GiB; it is no limit to such batches.")));
}

TEST(BatchMemory, IsSaidOnceForATraining) {
  const auto study = memory_study({{.batch = 32, .peak_gib = 3},
                                   {.batch = 64, .peak_gib = 5},
                                   {.batch = 32, .peak_gib = 4, .ranks_per_node = 2},
                                   {.batch = 64, .peak_gib = 8, .ranks_per_node = 2}});
  ASSERT_THAT(batch_memory_rows(study), SizeIs(2));
  EXPECT_THAT(said_of(study), ElementsAre(HasSubstr("takes 8.0 of 40 GiB")));
}

TEST(BatchMemory, FoldersOfBeforeSayNothing) {
  auto study = memory_study({{.batch = 32, .peak_gib = 3}});
  auto& metrics = study.cells[0].launches[0].metrics;
  std::erase_if(metrics, [](const MetricRow& row) { return row.metric == kMetrics.device_memory.name; });
  EXPECT_THAT(said_of(study), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
