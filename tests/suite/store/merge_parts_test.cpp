#include "suite/store/merge_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/launch/samples_per_step.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "tests/suite/store/sample_launch.hpp"
#include "tests/support/recorded_arms.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

const auto kTwoArms = arm_facts(made_up_arms(), std::vector<std::string>{"raw", "trainer"});

class MergeParts : public testing::Test {
 protected:
  MergeParts() : spec_(sample_spec()) {
    spec_.part_dir = scratch_.path();
    for (std::int64_t rank = 0; rank < 2; ++rank) write_rank(rank, 3);
  }
  void write_rank(std::int64_t rank, std::int64_t super_blocks) {
    std::string steps;
    std::string blocks;
    for (std::int64_t i = 1; i <= super_blocks; ++i) {
      steps += sample_steps(spec_, i, rank);
      blocks += sample_blocks(spec_, i, rank);
    }
    replace_file(steps_part(spec_.part_dir, rank), steps);
    replace_file(blocks_part(spec_.part_dir, rank), blocks);
    std::string metrics;
    append_csv_row(metrics, MetricRow{"L0001", "", rank, "peak_memory_mib", 100.0 + static_cast<double>(rank), "MiB"});
    replace_file(metrics_part(spec_.part_dir, rank), metrics);
  }
  void put_before(const std::string& path, const std::string& text) { replace_file(path, text + read_file(path)); }
  void append_to(const std::string& path, const std::string& text) { replace_file(path, read_file(path) + text); }
  std::vector<StepRow> steps_of(const LaunchResult& result) const {
    return read_csv_text<StepRow>(csv_header<StepRow>() + result.steps_csv, "steps");
  }

  ScratchFolder scratch_;
  LaunchSpec spec_;
};

// Their collectives would have joined the steps of two arms: no time of the launch is one of either.
TEST_F(MergeParts, RefusesABlockInWhichRanksRanDifferentArms) {
  auto steps = read_file(steps_part(spec_.part_dir, 1));
  for (auto at = steps.find(",2,trainer,"); at != std::string::npos; at = steps.find(",2,trainer,"))
    steps.replace(at, 11, ",2,raw,");
  replace_file(steps_part(spec_.part_dir, 1), steps);
  EXPECT_THAT([&] { merge_parts(spec_, kTwoArms); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("block 2: rank 1 ran raw where rank 0 ran trainer")));
}

// Six arms: the reference has two blocks in every super-block.
TEST_F(MergeParts, CountsTheReferencesBlocksOfALongSuperBlock) {
  spec_.arms = {"raw", "a", "b", "c", "d", "e"};
  spec_.ranks_per_node = 1;
  std::string steps;
  std::string blocks;
  for (std::int64_t super_block = 1; super_block <= 2; ++super_block) {
    auto order = spec_.arms;
    if (super_block == 1) order.insert(order.begin() + 3, "raw");  // the second was being written when the rank died
    std::int64_t number = 0;
    for (const auto& arm : order) {
      BlockRow block;
      StepRow step;
      block.launch_id = step.launch_id = spec_.launch_id;
      block.arm = step.arm = arm;
      block.super_block = step.super_block = super_block;
      block.block = step.block = ++number;
      append_csv_row(blocks, block);
      for (step.step = 1 - discarded_steps(spec_.seed, step.super_block); step.step <= spec_.protocol.block_steps; ++step.step) {
        step.discarded = step.step <= 0;
        step.step_s = 0.001 * static_cast<double>(number);
        append_csv_row(steps, step);
      }
    }
  }
  replace_file(steps_part(spec_.part_dir, 0), steps);
  replace_file(blocks_part(spec_.part_dir, 0), blocks);
  const auto merged = merge_parts(spec_, arm_facts(made_up_arms(), spec_.arms));
  ASSERT_EQ(merged.runs.size(), 6U);
  EXPECT_EQ(merged.runs[0].super_blocks, 1);
  EXPECT_EQ(merged.runs[0].steps, 4);
  EXPECT_DOUBLE_EQ(merged.runs[0].step_ms_p50, 2.5) << "of block 1 and block 4";
  EXPECT_EQ(merged.runs[1].steps, 2);
}

TEST_F(MergeParts, KeepsWholeSuperBlocksAndSumsThemUp) {
  const auto merged = merge_parts(spec_, kTwoArms);
  EXPECT_EQ(steps_of(merged).size(), sample_step_rows(spec_, 3));
  EXPECT_EQ(merged.metrics.size(), 2U);
  ASSERT_EQ(merged.runs.size(), 2U);
  const auto& raw = merged.runs[0];
  EXPECT_EQ(raw.arm, "raw");
  EXPECT_EQ(raw.super_blocks, 3);
  EXPECT_EQ(raw.steps, 6);
  // Slowest rank: 3, 5, 7 ms in super-blocks 1, 2, 3; the arm adds 0.5.
  EXPECT_DOUBLE_EQ(raw.step_ms_p50, 5.0);
  EXPECT_DOUBLE_EQ(merged.runs[1].step_ms_p50, 5.5);
  EXPECT_DOUBLE_EQ(raw.thread_cpu_ms_p50, 2.5);
  EXPECT_DOUBLE_EQ(raw.samples_per_s, 16 / 0.005);
  spec_.options[OptionGroup::kStrategy] = {{"accumulate", "4"}};
  EXPECT_DOUBLE_EQ(merge_parts(spec_, kTwoArms).runs[0].samples_per_s, 64 / 0.005);
  EXPECT_DOUBLE_EQ(raw.loss_first, 3.0);
  EXPECT_DOUBLE_EQ(raw.loss_last, 1.0);
  EXPECT_DOUBLE_EQ(raw.peak_memory_mib, 101.0);
  EXPECT_EQ(raw.batch_size_per_rank, 8);
}

// On a GPU the host only enqueues: the step is the device's, of the slowest rank.
TEST_F(MergeParts, AStepIsTheDevicesWhereItsTimeWasMeasured) {
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    std::string blocks;
    for (auto row : read_csv_text<BlockRow>(csv_header<BlockRow>() + read_file(blocks_part(spec_.part_dir, rank)), "blocks")) {
      row.device_s = 0.020 * static_cast<double>(rank + 1) * static_cast<double>(spec_.protocol.block_steps);
      append_csv_row(blocks, row);
    }
    replace_file(blocks_part(spec_.part_dir, rank), blocks);
  }
  const auto raw = merge_parts(spec_, kTwoArms).runs[0];
  EXPECT_DOUBLE_EQ(raw.step_ms_p50, 40);
  EXPECT_DOUBLE_EQ(raw.samples_per_s,
                   static_cast<double>(samples_per_step(spec_, spec_.options[OptionGroup::kStrategy])) / 0.040);
}

TEST_F(MergeParts, DropsASuperBlockThatOneRankHasNotFinished) {
  write_rank(1, 2);
  append_to(steps_part(spec_.part_dir, 1), sample_steps(spec_, 3, 1));  // its blocks were not written any more
  const auto merged = merge_parts(spec_, kTwoArms);
  EXPECT_EQ(merged.runs[0].super_blocks, 2);
  EXPECT_EQ(steps_of(merged).back().super_block, 2);
  EXPECT_DOUBLE_EQ(merged.runs[0].step_ms_p50, 4.0);
}

TEST_F(MergeParts, EveryCutOfARanksFileLeavesTheEarlierSuperBlocks) {
  write_rank(0, 2);
  write_rank(1, 2);
  const auto path = steps_part(spec_.part_dir, 1);
  const auto first = sample_steps(spec_, 1, 1).size();
  for (auto cut = read_file(path).size() - 1; cut > 0; --cut) {
    std::filesystem::resize_file(path, cut);
    ASSERT_EQ(merge_parts(spec_, kTwoArms).runs[0].super_blocks, cut < first ? 0 : 1) << "cut at " << cut;
  }
}

TEST_F(MergeParts, KeepsTheEqualWorkCheckWithoutCountingIt) {
  auto row = sample_step(spec_, 1, 0, 1, 0);
  row.super_block = 0;
  row.step_s = kNotMeasured;
  std::string text;
  append_csv_row(text, row);
  put_before(steps_part(spec_.part_dir, 0), text);
  const auto merged = merge_parts(spec_, kTwoArms);
  EXPECT_EQ(steps_of(merged).front().super_block, 0);
  EXPECT_EQ(merged.runs[0].steps, 6);
  EXPECT_DOUBLE_EQ(merged.runs[0].step_ms_p50, 5.0);
}

TEST_F(MergeParts, ARankWithoutFilesLeavesNothingMeasured) {
  std::filesystem::remove(steps_part(spec_.part_dir, 1));
  const auto merged = merge_parts(spec_, kTwoArms);
  EXPECT_EQ(merged.runs[0].super_blocks, 0);
  EXPECT_TRUE(std::isnan(merged.runs[0].step_ms_p50));
  EXPECT_EQ(merged.steps_csv, "");
}

TEST_F(MergeParts, AWholeLineThatIsNoRowNamesFileAndLine) {
  const auto path = steps_part(spec_.part_dir, 0);
  auto text = read_file(path);
  text.replace(text.find(",raw,"), 5, ",rat,");
  replace_file(path, text);
  EXPECT_THAT([&] { merge_parts(spec_, kTwoArms); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("steps.0.csv:1: arm 'rat'")));
}

}  // namespace
}  // namespace ddpbench
