#include "reports/analysis/findings/sizes/training_cost.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto kSamples = static_cast<double>(kTrainingEpochs * kCifarSamples);  // of a whole training

Vocabulary made_up_tables() {
  Vocabulary tables;
  tables.workloads = {{.name = "mnist_convnet", .dataset = "mnist", .epoch_samples = 60'000}, {.name = "transformer_lm"}};
  tables.backends = {{.name = "gloo", .device = "cpu"}, {.name = "nccl", .device = "cuda"}};
  return tables;
}
const auto kTables = made_up_tables();

// On whose `ranks` GPUs a whole training takes so many hours, known to ±5 %.
ScalingRow on(std::int64_t ranks, double hours, const std::string& mode = "weak", const std::string& arm = "raw") {
  ScalingRow row;
  row.workload = "resnet50_cifar10";
  row.backend = "nccl";
  row.precision = "fp32";
  row.batch_size_per_rank = mode == "weak" ? 32 : 256 / ranks;
  row.cell_id = "cell-" + std::to_string(ranks);
  row.reference_cell = "cell-1";
  row.arm = arm;
  row.mode = mode;
  row.world_size = ranks;
  row.samples_per_s.value = kSamples / 3600 / hours;
  row.samples_per_s.lo = row.samples_per_s.value / 1.05;
  row.samples_per_s.hi = row.samples_per_s.value / 0.95;
  row.speedup.value = 10 / hours;
  row.speedup.lo = row.speedup.value / (ranks == 1 ? 1 : 1.05);
  row.speedup.hi = row.speedup.value * (ranks == 1 ? 1 : 1.05);
  row.p_not_faster = ranks == 1 ? kNotMeasured : 1e-4;
  row.launches = 5;
  return row;
}

TEST(TrainingCost, IsTimeAndTimeTimesDevices) {
  const auto rows = training_cost_rows({on(4, 3), on(1, 10)}, kTables);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].world_size, 1) << "sizes ascending";
  EXPECT_NEAR(rows[1].hours.value, 3, 1e-9);
  EXPECT_NEAR(rows[1].hours.lo, 2.85, 1e-9);
  EXPECT_NEAR(rows[1].hours.hi, 3.15, 1e-9);
  EXPECT_NEAR(rows[1].device_hours.value, 12, 1e-9);
  EXPECT_NEAR(rows[1].device_hours.hi, 12.6, 1e-9);
  EXPECT_NEAR(rows[0].more_device_hours_percent.value, 0, 1e-9);
  EXPECT_NEAR(rows[1].more_device_hours_percent.value, 20, 1e-9);
  EXPECT_NEAR(rows[1].more_device_hours_percent.lo, 100 * (1.2 / 1.05 - 1), 1e-9);
  EXPECT_NEAR(rows[1].more_device_hours_percent.hi, 26, 1e-9);
  EXPECT_EQ(rows[1].global_batch_size, 128);
}

TEST(TrainingCost, IsOfTheWorkloadsOwnTrainingSet) {
  auto small = on(1, 10), large = on(4, 3);
  for (auto* row : {&small, &large}) row->workload = "mnist_convnet";
  const auto rows = training_cost_rows({small, large}, kTables);
  EXPECT_EQ(rows.at(0).epoch_samples, 60'000);
  EXPECT_NEAR(rows[0].hours.value, 12, 1e-9);
  EXPECT_THAT(size_sentences({small, large}, "raw", 1, kTables).at(0), HasSubstr("90 epochs of 60,000 samples take 12 hours"));
  EXPECT_EQ(epoch_samples(kTables, "transformer_lm"), kCifarSamples) << "it reads none";
}

TEST(TrainingCost, ComparesNothingWithoutASecondSize) {
  EXPECT_THAT(training_cost_rows({on(1, 10), on(1, 10, "weak", "trainer"), on(2, 5, "")}, kTables), IsEmpty());
}

TEST(SizeSentences, SayTimeCostAndWhatBuysNothing) {
  auto largest = on(8, 2.95);
  largest.is_faster = false;
  const auto said = size_sentences({on(1, 10), on(4, 3), largest}, "raw", 3, kTables);
  EXPECT_THAT(
      said,
      ElementsAre("resnet50_cifar10, nccl, fp32, batch 32 per rank (raw): 90 epochs of 50,000 samples take 10 hours "
                  "[9.5, 10] on 1 GPU, 3.0 hours [2.9, 3.1] on 4 GPUs. Fewest GPU-hours, 10.0 [9.50, 10.5], on 1 GPU; 4 GPUs "
                  "need 20 % more "
                  "[+14, +26]. More than that was not seen to be faster: 3.0 hours [2.8, 3.1] on 8 GPUs. The global batch grows "
                  "from 32 to 128: the recipe must bear "
                  "that."));
}

TEST(SizeSentences, OfGroupsThatDifferInASettingNameIt) {
  std::vector<ScalingRow> rows;
  for (const auto* options : {"accumulate=1;momentum=0.9", "accumulate=2;momentum=0.9"}) {
    for (const auto ranks : {1, 2}) {
      rows.push_back(on(ranks, 10.0 / ranks));
      rows.back().options = options;
      rows.back().reference_cell = options;
    }
  }
  EXPECT_THAT(size_sentences(rows, "raw", 3, kTables), ElementsAre(HasSubstr("batch 32 per rank (raw), accumulate=1: "),
                                                                   HasSubstr("batch 32 per rank (raw), accumulate=2: ")));
}

TEST(SizeSentences, OfOneLaunchSayNoMoreThanWasSeen) {
  auto small = on(1, 10), large = on(2, 9.4);
  for (auto* row : {&small, &large}) {
    row->samples_per_s.lo = row->samples_per_s.hi = row->speedup.lo = row->speedup.hi = row->p_not_faster = kNotMeasured;
    row->launches = 1;
  }
  large.is_faster = false;
  EXPECT_THAT(
      size_sentences({small, large}, "raw", 3, kTables),
      ElementsAre(
          "resnet50_cifar10, nccl, fp32, batch 32 per rank (raw): 90 epochs of 50,000 samples take 10 hours on 1 "
          "GPU, 9.4 hours on 2 GPUs, in one launch of each. Whether one is faster than another was not tested: that takes two "
          "launches of each."));
  EXPECT_THAT(size_sentences({small, large}, "raw", 3, kTables, {20}).at(0),
              HasSubstr("No size that was measured is sure to be done"));
}

// Two launches that differ by hours: 8.9 minutes between 0.11 and 690 say nothing.
TEST(SizeSentences, SayNothingOfASizeWhoseLaunchesDisagree) {
  auto wide = on(2, 5);
  wide.samples_per_s.lo = wide.samples_per_s.value / 80;
  wide.samples_per_s.hi = wide.samples_per_s.value * 80;
  EXPECT_THAT(
      size_sentences({on(1, 10), wide}, "raw", 3, kTables),
      ElementsAre("resnet50_cifar10, nccl, fp32, batch 32 per rank (raw): 90 epochs of 50,000 samples take 10 hours [9.5, 10] on "
                  "1 GPU. On 2 GPUs nothing can be said yet: its launches differ too much."));
  auto other = wide;
  other.world_size = 1;
  EXPECT_THAT(
      size_sentences({other, wide}, "raw", 3, kTables),
      ElementsAre("resnet50_cifar10, nccl, fp32, batch 32 per rank (raw): how long 90 epochs of 50,000 samples take cannot be "
                  "said yet: launches of one size differ too much. More launches would tell."));
}

TEST(SizeSentences, JudgeWhatCanBeJudged) {
  auto untested = on(8, 2.5);
  untested.samples_per_s.lo = untested.samples_per_s.hi = untested.speedup.lo = untested.speedup.hi = untested.p_not_faster =
      kNotMeasured;
  untested.is_faster = false;
  const auto said = size_sentences({on(1, 10), on(4, 3), untested}, "raw", 3, kTables).at(0);
  EXPECT_THAT(said, HasSubstr("4 GPUs need 20 % more [+14, +26]."));
  EXPECT_THAT(said, HasSubstr("Not tested, for it ran in one launch: 2.5 hours on 8 GPUs."));
  EXPECT_FALSE(training_cost_rows({on(1, 10), untested}, kTables)[1].is_tested);
}

// 4 ranks of one node and 2 of each of two: neither is larger.
TEST(SizeSentences, NameTheCheapestSizeThatKeepsADeadline) {
  const std::vector<ScalingRow> rows{on(1, 10), on(4, 3), on(8, 2.95)};
  const auto within = [&](double hours) { return size_sentences(rows, "raw", 3, kTables, {hours}).at(0); };
  EXPECT_THAT(within(3.2),
              HasSubstr(" Within 3 h 12 min the cheapest size is 4 GPUs: 3.0 hours [2.9, 3.1], 12.0 [11.4, 12.6] GPU-hours."));
  EXPECT_THAT(within(3.1), HasSubstr(" Within 3 h 06 min the cheapest size is 8 GPUs: ")) << "4 GPUs may take 3.15";
  EXPECT_THAT(within(20), HasSubstr(" the cheapest size is 1 GPU: "));
  EXPECT_THAT(within(1), HasSubstr(" No size that was measured is sure to be done within 1 h 00 min."));
  EXPECT_THAT(size_sentences({on(1, 10)}, "raw", 3, kTables, {5}), ElementsAre(HasSubstr("several sizes must be measured")));
}

TEST(SizeSentences, SayThePriceWhereItIsKnownAndGpusAreUsed) {
  std::vector<ScalingRow> rows{on(1, 10), on(4, 3)};
  const TrainingCostRequest request{5, 1.5, "EUR"};
  const auto said = size_sentences(rows, "raw", 3, kTables, request).at(0);
  EXPECT_THAT(
      said, HasSubstr("Fewest GPU-hours, 10.0 [9.50, 10.5] (15.0 EUR), on 1 GPU; 4 GPUs need 20 % more [+14, +26] (18.0 EUR)."));
  EXPECT_THAT(said, HasSubstr("12.0 [11.4, 12.6] GPU-hours (18.0 EUR)."));
  for (auto& row : rows) row.backend = "gloo";
  EXPECT_THAT(size_sentences(rows, "raw", 3, kTables, request).at(0), Not(HasSubstr("EUR")));
}

TEST(SizeSentences, NameTheNodesWhereTheNumberOfDevicesIsTheSame) {
  auto together = on(4, 3), apart = on(4, 3.5);
  apart.nodes = 2;
  const auto rows = training_cost_rows({on(1, 10), together, apart}, kTables);
  EXPECT_TRUE(rows[1].is_faster && rows[2].is_faster) << "than the smaller size";
  const auto said = size_sentences({on(1, 10), together, apart}, "raw", 3, kTables).at(0);
  EXPECT_THAT(said, HasSubstr("3.5 hours [3.3, 3.7] on 4 GPUs of 2 nodes."));
  EXPECT_THAT(said, Not(HasSubstr("More than that")));
}

TEST(SizeSentences, OfAFixedGlobalBatchSayNothingOfTheRecipe) {
  const auto said = size_sentences({on(1, 10, "strong"), on(4, 2.4, "strong")}, "raw", 3, kTables);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("global batch 256 (raw)"));
  EXPECT_THAT(said[0], Not(HasSubstr("recipe")));
  EXPECT_THAT(said[0], HasSubstr("Fewest GPU-hours, 9.60 [9.12, 10.1], on 4 GPUs."))
      << "faster than the sizes alone would make it";
}

TEST(SizeSentences, AreOfOneArmAndTheLargestGroups) {
  const std::vector<ScalingRow> rows{
      on(1, 10),          on(4, 3),          on(1, 11, "weak", "trainer"), on(4, 4, "weak", "trainer"), on(1, 10, "strong"),
      on(2, 6, "strong"), on(4, 4, "strong")};
  const auto said = size_sentences(rows, "raw", 1, kTables);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("global batch")) << "three sizes, the other group has two";
  EXPECT_THAT(size_sentences(rows, "py_raw", 3, kTables), IsEmpty());
}

TEST(SizeSentences, CountRanksWhereNoGpuIsUsed) {
  auto small = on(1, 10), large = on(2, 6);
  small.backend = large.backend = "gloo";
  EXPECT_THAT(size_sentences({small, large}, "raw", 3, kTables).at(0),
              HasSubstr("6.0 hours [5.7, 6.3] on 2 ranks. Fewest rank-hours, 10.0 [9.50, 10.5], on 1 rank"));
}

}  // namespace
}  // namespace ddpbench
