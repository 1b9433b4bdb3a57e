#include "suite/traces/trace_steps.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/suite/traces/made_trace.hpp"

namespace ddpbench {
namespace {

using test::MadeTrace;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

TEST(TraceSteps, TakesTheStepsInBlocksAndTheirArms) {
  MadeTrace made;
  made.step(0, 10, 0).block("raw", 20, 60).step(20, 30, 1).step(30, 40, 2).block("trainer", 60, 90).step(62, 90, 3);
  const auto found = find_steps(made.done(), "");
  EXPECT_EQ(found.source, StepSource::kBlocks);
  ASSERT_THAT(found.steps, SizeIs(3));
  EXPECT_EQ(found.steps[1].arm, "raw");
  EXPECT_EQ(found.steps[1].block, 1);
  EXPECT_EQ(found.steps[1].ordinal, 2);
  EXPECT_EQ(found.steps[2].arm, "trainer");
  EXPECT_EQ(found.steps[2].block, 2);
  EXPECT_EQ(found.steps[2].ordinal, 1);
}

TEST(TraceSteps, LeavesOutDiscardedSteps) {
  MadeTrace made;
  made.block("raw", 0, 60).step(0, 10, -1).step(10, 20, 1);
  EXPECT_THAT(find_steps(made.done(), "").steps, SizeIs(1));
}

TEST(TraceSteps, TakesTorchsStepsWithoutBlocks) {
  MadeTrace made;
  made.step(0, 10, 4).step(10, 20, 5);
  const auto found = find_steps(made.done(), "");
  EXPECT_EQ(found.source, StepSource::kProfilerSteps);
  EXPECT_THAT(found.steps, SizeIs(2));
  EXPECT_EQ(found.steps[0].arm, "ProfilerStep");
}

TEST(TraceSteps, TakesTheWholeWindowWithoutSteps) {
  MadeTrace made;
  made.operation("aten::mm", 5, 10).operation("aten::mm", 20, 40).operation("aten::cat", 0, 90, "loader");
  const auto found = find_steps(made.done(), "");
  EXPECT_EQ(found.source, StepSource::kWholeWindow);
  ASSERT_THAT(found.steps, SizeIs(1));
  EXPECT_EQ(found.steps[0].time, (Interval{5, 40}));
}

TEST(TraceSteps, TakesRangesOfAName) {
  MadeTrace made;
  made.step(0, 100).add(EventKind::kRange, "train 1", 0, 40).add(EventKind::kRange, "train 1", 10, 20);
  made.add(EventKind::kRange, "train 2", 50, 90);
  EXPECT_THAT(find_steps(made.done(), "train 1").steps, SizeIs(1));
  const auto found = find_steps(made.done(), "train*");
  ASSERT_THAT(found.steps, SizeIs(2));
  EXPECT_EQ(found.steps[0].time, (Interval{0, 40}));
  EXPECT_EQ(found.steps[0].arm, "train*");
}

TEST(TraceSteps, NamesTheRangesThatExist) {
  MadeTrace made;
  made.step(0, 10, 1).step(10, 20, 2).add(EventKind::kRange, "train", 0, 10);
  EXPECT_THAT(
      [&] { find_steps(made.done(), "tran"); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("made.json"), HasSubstr("'tran'"), HasSubstr("'ProfilerStep#*', 'train'"))));
}

TEST(TraceSteps, RefusesATraceWithoutHostEvents) {
  MadeTrace made;
  made.add(EventKind::kKernel, "gemm", 0, 10, "stream 7");
  EXPECT_THAT([&] { find_steps(made.done(), ""); }, ThrowsMessage<UsageError>(HasSubstr("empty")));
}

TEST(TraceSteps, RefusesOurTraceWhoseStepsLieInNoBlock) {
  MadeTrace made;
  made.block("raw", 0, 10).step(20, 30);
  EXPECT_THAT([&] { find_steps(made.done(), ""); }, ThrowsMessage<UsageError>(HasSubstr("block")));
}

}  // namespace
}  // namespace ddpbench
