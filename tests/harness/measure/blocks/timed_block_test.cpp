#include "harness/measure/blocks/timed_block.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "suite/base/durable_file.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

template <class Row>
std::vector<Row> recorded_rows(const std::string& path) {
  return read_csv_text<Row>(csv_header<Row>() + read_file(path), path);
}

// As a profile by a schedule takes it.
TEST(TimedBlock, WithoutADiscardedStepHasItsTimedStepsAlone) {
  const ScratchFolder folder;
  const auto training = tiny_training("null", "single", nullptr, RankInfo{});
  CollectiveLog log(64);
  PartWriter writer(folder.path(), 0);
  LoneControlChannel control_channel;
  LaunchSpec spec;
  auto arms = training->make_arms({"raw"});
  const Measurement measurement{spec, 0, *training->session, arms, log, control_channel, writer};
  LaunchRecorder recorder(measurement);
  TimedBlock block(measurement, recorder, EventCounter("none: of a test"));
  recorder.add_block({2, 0}, 0, block.run(0, 0), {});
  recorder.end_super_block({});
  const auto steps = recorded_rows<StepRow>(steps_part(folder.path(), 0));
  ASSERT_EQ(static_cast<std::int64_t>(steps.size()), spec.protocol.block_steps);
  double steps_s = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].step, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(steps[i].super_block, 2);
    EXPECT_FALSE(steps[i].discarded);
    EXPECT_TRUE(std::isnan(steps[i].loss));
    EXPECT_GT(steps[i].step_s, 0);
    if (i > 0) steps_s += steps[i].step_s;
  }
  const auto blocks = recorded_rows<BlockRow>(blocks_part(folder.path(), 0));
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_GE(blocks.front().wall_s, steps_s) << "from the first step on";
}

}  // namespace
}  // namespace ddpbench
