#include "reports/analysis/samples/samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

struct Times {
  std::int64_t super_block, step, rank;
  double step_s, thread_cpu_s;
};

std::string steps_csv(const std::string& arm, const std::vector<Times>& all) {
  std::string text;
  for (const auto& times : all) {
    StepRow row;
    row.launch_id = "L1";
    row.super_block = times.super_block;
    row.arm = arm;
    row.step = times.step;
    row.rank = times.rank;
    row.discarded = times.step == 0;
    row.step_s = times.step_s;
    row.comm_wait_s = 0.25 * times.step_s;
    row.thread_cpu_s = times.thread_cpu_s;
    append_csv_row(text, row);
  }
  return text;
}

// Thread and process CPU are half and twice the wall time.
std::string block_row(const std::string& arm, std::int64_t super_block, double wall_s) {
  BlockRow row;
  row.launch_id = "L1";
  row.super_block = super_block;
  row.arm = arm;
  row.wall_s = wall_s;
  row.thread_cpu_s = 0.5 * wall_s;
  row.process_cpu_s = 2 * wall_s;
  std::string text;
  append_csv_row(text, row);
  return text;
}

LaunchSamples read(const std::string& rows) {
  LaunchSamples samples;
  read_step_samples(csv_header<StepRow>() + rows, "steps", samples);
  return samples;
}

TEST(Pairs, TakeTheSlowestRankOfEachStepOnTheWallAndTheMeanOverRanksOnCpuClocks) {
  const auto samples =
      read(steps_csv("raw", {{1, 0, 0, 99, 99}, {1, 1, 0, 2, 7}, {1, 1, 1, 3, 5}, {1, 2, 1, 8, 1}, {1, 2, 0, 4, 2}}));
  const auto* raw = samples.find("raw");
  ASSERT_NE(raw, nullptr);
  ASSERT_EQ(blocks_of(*raw), 1U);
  EXPECT_THAT(slowest_steps_s(*raw, 0), ElementsAre(3, 8));
  const auto series = block_series(*raw, Clock::kWall);
  EXPECT_DOUBLE_EQ(series.of_medians[0], 0.5 * (std::log(3.0) + std::log(8.0)));
  EXPECT_DOUBLE_EQ(series.of_means[0], std::log(5.5));
  const auto of_cpu = block_series(*raw, Clock::kThreadCpu);
  EXPECT_DOUBLE_EQ(std::exp(of_cpu.of_medians[0]), 0.5 * (std::sqrt(7.0 * 2.0) + std::sqrt(5.0 * 1.0)));
  EXPECT_DOUBLE_EQ(std::exp(of_cpu.of_means[0]), 0.5 * (4.5 + 3));
  EXPECT_TRUE(block_series(*raw, Clock::kProcessCpu).of_medians.empty());  // that is read once a block
}

TEST(Pairs, AreOfFastestStepsWhereTheProtocolSaysSo) {
  LaunchSamples samples;
  samples.fastest_step = true;
  const auto rows = steps_csv("raw", {{1, 1, 0, 2, 7}, {1, 1, 1, 3, 5}, {1, 2, 1, 8, 1}, {1, 2, 0, 4, 2}}) +
                    steps_csv("trainer", {{1, 1, 0, 9, 9}, {1, 1, 1, 9, 9}, {1, 2, 1, 5, 4}, {1, 2, 0, 5, 3}});
  read_step_samples(csv_header<StepRow>() + rows, "steps", samples);
  EXPECT_THAT(pair_series(samples, "trainer", "raw", Clock::kWall).of_medians_s, ElementsAre(DoubleNear(5 - 3, 1e-12)));
  const auto on_cpu = pair_series(samples, "trainer", "raw", Clock::kThreadCpu);
  EXPECT_THAT(on_cpu.of_medians_s, ElementsAre(DoubleNear(0.5 * (3 + 4) - 0.5 * (2 + 1), 1e-12)));
  EXPECT_THAT(on_cpu.of_ranks_s.at(1), ElementsAre(DoubleNear(4 - 1, 1e-12)));
  EXPECT_DOUBLE_EQ(block_series(*samples.find("raw"), Clock::kWall).of_medians[0], 0.5 * (std::log(3.0) + std::log(8.0)))
      << "a step's length is the median's";
}

TEST(Pairs, PairOnlySuperBlocksThatBothArmsHave) {
  const auto samples = read(steps_csv("raw", {{1, 1, 0, 1, 1}, {3, 1, 0, 1, 1}, {4, 1, 0, 0, 1}, {5, 1, 0, 2, 1}}) +
                            steps_csv("trainer", {{1, 1, 0, 2, 1}, {2, 1, 0, 9, 1}, {4, 1, 0, 5, 1}, {5, 1, 0, 6, 1}}));
  const auto pairs = pair_series(samples, "trainer", "raw", Clock::kWall);
  EXPECT_THAT(pairs.of_medians_s, ElementsAre(DoubleNear(1, 1e-12), DoubleNear(4, 1e-12)));  // 4 took no time by this clock
  EXPECT_THAT(pairs.super_blocks, ElementsAre(1, 5));
  EXPECT_EQ(pair_series(samples, "nobody", "raw", Clock::kWall).size(), 0U);
}

StepRow step_of(const std::string& arm, std::int64_t super_block, std::int64_t block, double step_s) {
  StepRow row;
  row.launch_id = "L1";
  row.arm = arm;
  row.super_block = super_block;
  row.block = block;
  row.step = 1;
  row.step_s = row.thread_cpu_s = step_s;
  return row;
}

BlockRow block_of(const StepRow& step) {
  BlockRow row;
  row.launch_id = step.launch_id;
  row.arm = step.arm;
  row.super_block = step.super_block;
  row.block = step.block;
  row.rank = step.rank;
  row.wall_s = row.thread_cpu_s = row.process_cpu_s = row.device_s = step.step_s;
  return row;
}

// Six arms: the reference stands twice in a super-block.
TEST(Pairs, AreWithTheNearestOfTheReferencesBlocks) {
  LaunchSamples samples;
  samples.blocks_per_super_block = {{"raw", 2}};
  const std::vector<StepRow> measured{step_of("raw", 1, 2, 10),   step_of("early", 1, 1, 11), step_of("late", 1, 6, 21),
                                      step_of("raw", 1, 5, 20),   step_of("early", 2, 9, 31), step_of("raw", 2, 8, 30),
                                      step_of("late", 2, 12, 41), step_of("raw", 2, 13, 40)};
  auto steps = csv_header<StepRow>();
  auto blocks = csv_header<BlockRow>();
  for (const std::int64_t rank : {0, 1}) {
    for (auto step : measured) {
      step.rank = rank;
      append_csv_row(steps, step);
      append_csv_row(blocks, block_of(step));
    }
  }
  read_step_samples(steps, "steps", samples);
  read_block_samples(blocks, "blocks", samples);
  for (const auto clock : {Clock::kWall, Clock::kDevice}) {
    EXPECT_THAT(pair_series(samples, "early", "raw", clock).of_medians_s, ElementsAre(DoubleNear(1, 1e-9), DoubleNear(1, 1e-9)));
    EXPECT_THAT(pair_series(samples, "late", "raw", clock).of_medians_s, ElementsAre(DoubleNear(1, 1e-9), DoubleNear(1, 1e-9)));
  }
}

// The same addition to a short and to a long step: one difference, two ratios.
TEST(Pairs, AnAdditionIsTheSameDifferenceWhateverTheStep) {
  const auto samples =
      read(steps_csv("raw", {{1, 1, 0, 10, 1}, {2, 1, 0, 90, 1}}) + steps_csv("trainer", {{1, 1, 0, 15, 1}, {2, 1, 0, 95, 1}}));
  const auto pairs = pair_series(samples, "trainer", "raw", Clock::kWall);
  ASSERT_EQ(pairs.of_medians_s.size(), 2U);
  for (const double difference : pairs.of_medians_s) EXPECT_NEAR(difference, 5, 1e-12);
  for (const double difference : pairs.of_means_s) EXPECT_NEAR(difference, 5, 1e-12);
}

TEST(Samples, LossesAreOfRankZeroAndEqualWorkHasNoTimes) {
  StepRow check;
  check.launch_id = "L1";
  check.arm = "raw";
  check.step = 3;
  check.loss = 2.5;
  std::string rows;
  append_csv_row(rows, check);
  check.rank = 1;
  append_csv_row(rows, check);
  StepRow training = check;
  training.super_block = 7;
  training.rank = 0;
  training.step = 0;
  training.discarded = true;
  training.loss = 1.5;
  append_csv_row(rows, training);
  const auto samples = read(rows);
  const auto& losses = samples.find("raw")->losses;
  ASSERT_EQ(losses.size(), 2U);
  EXPECT_TRUE(losses[0].equal_work);
  EXPECT_EQ(losses[0].index, 3);
  EXPECT_FALSE(losses[1].equal_work);
  EXPECT_EQ(losses[1].index, 7);
  EXPECT_EQ(losses[1].loss, 1.5);
  EXPECT_EQ(blocks_of(*samples.find("raw")), 0U);
}

TEST(Samples, DeviceTimeOfABlockIsOfTheSlowestRank) {
  auto samples = read(steps_csv("raw", {{1, 1, 0, 1, 1}, {1, 2, 0, 1, 1}}));
  samples.block_steps = 2;
  std::string rows;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    BlockRow block;
    block.launch_id = "L1";
    block.super_block = 1;
    block.arm = "raw";
    block.rank = rank;
    block.wall_s = 2;
    block.device_s = 4 + 2.0 * static_cast<double>(rank);
    block.load = 1.25;
    block.steal_s = 0.5;
    append_csv_row(rows, block);
  }
  read_block_samples(csv_header<BlockRow>() + rows, "blocks", samples);
  EXPECT_DOUBLE_EQ(block_series(*samples.find("raw"), Clock::kDevice).of_medians[0], std::log(3.0));
  EXPECT_EQ(samples.host.load, std::vector<double>{1.25});
  EXPECT_EQ(samples.host.steal_s, 0.5);
  EXPECT_EQ(samples.host.wall_s, 2);
}

// Two blocks of two ranks, and on process CPU one time that no clock can have read, and one that is missing.
TEST(Samples, InvalidTimesOfAClockThatIsReadByTheBlockAreCounted) {
  LaunchSamples samples;
  samples.world_size = 2;
  std::string rows;
  for (const std::int64_t block : {1, 2}) {
    for (const std::int64_t rank : {0, 1}) {
      auto row = block_of(step_of("raw", block, block, 1));
      row.rank = rank;
      row.device_s = kNotMeasured;
      if (block == 1 && rank == 1) row.process_cpu_s = -1;
      if (block == 2 && rank == 0) row.process_cpu_s = kNotMeasured;
      append_csv_row(rows, row);
    }
  }
  read_step_samples(csv_header<StepRow>(), "steps", samples);
  read_block_samples(csv_header<BlockRow>() + rows, "blocks", samples);
  const auto& times = samples.find("raw")->times;
  EXPECT_EQ(times[index_of(Clock::kProcessCpu)].invalid, 2);
  EXPECT_EQ(times[index_of(Clock::kProcessCpu)].all, 4);
  EXPECT_EQ(times[index_of(Clock::kDevice)].all, 0) << "a clock that was read nowhere is not there";
}

TEST(Samples, ARankWithoutBlocksIsMissing) {
  LaunchSamples samples;
  samples.world_size = 2;
  std::string rows;
  append_csv_row(rows, block_of(step_of("raw", 1, 1, 1)));
  read_step_samples(csv_header<StepRow>(), "steps", samples);
  read_block_samples(csv_header<BlockRow>() + rows, "blocks", samples);
  EXPECT_EQ(samples.find("raw")->times[index_of(Clock::kProcessCpu)].invalid, 1);
}

// An arm whose stamps are switched off has blocks only: then both sides are block means, never a median against a mean.
TEST(Pairs, WithoutStepTimesOnOneSideBothAreBlockMeans) {
  auto samples = read(steps_csv("raw", {{1, 1, 0, 1, 1}, {1, 2, 0, 9, 1}, {1, 3, 0, 1, 1}, {1, 4, 0, 1, 1}}));
  samples.block_steps = 4;
  read_block_samples(csv_header<BlockRow>() + block_row("raw", 1, 12) + block_row("bare", 1, 8), "blocks", samples);
  EXPECT_DOUBLE_EQ(block_series(*samples.find("raw"), Clock::kWall).of_medians[0], std::log(1.0));
  const auto pairs = pair_series(samples, "bare", "raw", Clock::kWall);
  ASSERT_EQ(pairs.of_medians_s.size(), 1U);
  EXPECT_DOUBLE_EQ(pairs.of_medians_s[0], 2.0 - 3.0);
  EXPECT_DOUBLE_EQ(pairs.of_means_s[0], 2.0 - 3.0);
}

// Process CPU is read once a block.
TEST(Pairs, ProcessCpuIsComparedByBlocks) {
  auto samples = read(steps_csv("raw", {{1, 1, 0, 1, 1}}) + steps_csv("trainer", {{1, 1, 0, 1, 1}}));
  read_block_samples(csv_header<BlockRow>() + block_row("raw", 1, 3) + block_row("trainer", 1, 7), "blocks", samples);
  const auto pairs = pair_series(samples, "trainer", "raw", Clock::kProcessCpu);
  ASSERT_EQ(pairs.of_medians_s.size(), 1U);
  EXPECT_DOUBLE_EQ(pairs.of_medians_s[0], 14 - 6);
}

// All steps of a super-block in which the scaler left an update out are discarded; its block rows do not say so.
TEST(Samples, ASuperBlockThatWasLeftOutHasNoBlocksEither) {
  auto rows = steps_csv("raw", {{2, 1, 0, 1, 1}});
  StepRow discarded;
  discarded.launch_id = "L1";
  discarded.super_block = 1;
  discarded.arm = "raw";
  discarded.step = 1;
  discarded.discarded = true;
  append_csv_row(rows, discarded);
  auto samples = read(rows);
  read_block_samples(csv_header<BlockRow>() + block_row("raw", 1, 3) + block_row("raw", 2, 5), "blocks", samples);
  const auto series = block_series(*samples.find("raw"), Clock::kProcessCpu).of_medians;
  ASSERT_EQ(series.size(), 2U);
  EXPECT_TRUE(std::isnan(series[0]));
  EXPECT_DOUBLE_EQ(series[1], std::log(10.0));
}

TEST(Samples, ABlockThatWasNotRunHasNoWait) {
  LaunchSamples samples;
  samples.block_steps = 2;
  read_step_samples(csv_header<StepRow>() + steps_csv("raw", {{2, 0, 0, 9, 9}, {2, 1, 0, 4, 1}, {2, 2, 0, 8, 1}}), "steps",
                    samples);
  const auto& waits_s = samples.find("raw")->ranks[0].comm_waits_s;
  ASSERT_EQ(waits_s.size(), 2U);
  EXPECT_TRUE(std::isnan(waits_s[0]));
  EXPECT_DOUBLE_EQ(waits_s[1], 1.5);
}

TEST(Samples, AbsurdNumbersAreRefused) {
  EXPECT_THROW(read(steps_csv("raw", {{-1, 1, 0, 1, 1}})), UsageError);
  EXPECT_THROW(read(steps_csv("raw", {{1'000'000'000'000, 1, 0, 1, 1}})), UsageError);
  EXPECT_THROW(read(steps_csv("raw", {{1, 1'000'000'000'000, 0, 1, 1}})), UsageError);
}

}  // namespace
}  // namespace ddpbench
