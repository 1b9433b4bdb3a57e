#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "harness/measure/blocks/block_runner.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

template <class Row>
std::vector<Row> rows_in(const std::string& path) {
  std::ifstream file(path);
  return read_csv_text<Row>(csv_header<Row>() + std::string(std::istreambuf_iterator<char>(file), {}), path);
}

// Of one rank: its wall time less the time for which it had no core.
TEST(AwaitedBlocks, OfOneRankTakeTheStepLessItsRunDelay) {
  CollectiveLog log(64);
  log.take_delays(RunDelays::of_steps());
  if (!log.delays().reads()) GTEST_SKIP() << log.delays().words();
  const ScratchFolder folder;
  const auto training = tiny_training("null", "single", nullptr, RankInfo{});
  PartWriter writer(folder.path(), 0);
  LoneControlChannel control_channel;
  LaunchSpec spec;
  spec.launch_id = "L";
  spec.protocol.warmup_steps = 0;
  spec.protocol.min_super_blocks = spec.protocol.max_super_blocks = 4;
  auto arms = training->make_arms({"raw", "raw-awaited", "raw-timers"});
  BlockRunner({spec, 0, *training->session, arms, log, control_channel, writer}).run();
  std::map<std::int64_t, double> awaited_s;  // by super-block
  for (const auto& row : rows_in<StepRow>(steps_part(folder.path(), 0))) {
    EXPECT_EQ(std::isnan(row.awaited_s), row.arm != "raw") << row.arm;
    if (row.arm != "raw") continue;
    EXPECT_LE(row.awaited_s, row.step_s);
    EXPECT_NEAR(row.awaited_s, std::max(0.0, row.step_s - row.run_delay_s), 1e-12);
    if (!row.discarded) awaited_s[row.super_block] += row.awaited_s;
  }
  EXPECT_EQ(awaited_s.size(), 4U);
  for (const auto& row : rows_in<BlockRow>(blocks_part(folder.path(), 0))) {
    EXPECT_EQ(std::isnan(row.run_delay_s), row.arm != "raw") << row.arm;
    if (row.arm != "raw") continue;
    EXPECT_NEAR(row.awaited_s, awaited_s.at(row.super_block), 1e-12) << row.super_block;
  }
}

}  // namespace
}  // namespace ddpbench
