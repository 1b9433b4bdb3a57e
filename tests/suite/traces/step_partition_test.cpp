#include "suite/traces/step_partition.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "suite/contract/tables/phase.hpp"
#include "tests/suite/traces/made_trace.hpp"

namespace ddpbench {
namespace {

using test::MadeTrace;

struct Cut {
  TracePartition parts;
  std::int64_t operator[](TracePart part) const { return parts.parts[index_of(part)]; }
  std::int64_t sum() const { return std::accumulate(parts.parts.begin(), parts.parts.end(), std::int64_t{0}); }
};

// Of the first step, as the whole trace is read.
Cut cut(MadeTrace& made) {
  const auto& trace = made.done();
  const auto steps = find_steps(trace, "").steps;
  return {partition(make_timeline(trace, steps), steps.front().time)};
}

TEST(TracePartition, CountsNestedOperationsOnce) {
  MadeTrace made;
  made.step(0, 100).operation("aten::linear", 10, 50).operation("aten::mm", 20, 40).operation("aten::mm", 60, 70);
  const auto parts = cut(made);
  EXPECT_EQ(parts[TracePart::kOperations], 50);
  EXPECT_EQ(parts[TracePart::kHost], 50);
  EXPECT_EQ(parts.sum(), 100);
}

TEST(TracePartition, SplitsACollectiveIntoHiddenAndExposed) {
  MadeTrace made;
  made.step(0, 100).operation("aten::mm", 10, 50).add(EventKind::kCollective, "gloo:all_reduce", 30, 80, "gloo");
  made.add(EventKind::kCollective, "gloo:all_reduce", 70, 90, "gloo 2");
  const auto parts = cut(made);
  EXPECT_EQ(parts[TracePart::kExposed], 40);
  EXPECT_EQ(parts.parts.hidden, 20);
  EXPECT_EQ(parts[TracePart::kHost], 20);
  EXPECT_EQ(parts.sum(), 100);
}

TEST(TracePartition, LeavesOutOperationsOfOtherThreads) {
  MadeTrace made;
  made.step(0, 100).operation("aten::mm", 0, 10).operation("aten::cat", 20, 90, "loader");
  EXPECT_EQ(cut(made)[TracePart::kOperations], 10);
}

TEST(TracePartition, CountsTheThreadThatRunsBackward) {
  MadeTrace made;
  made.step(0, 100)
      .operation("aten::mm", 0, 10)
      .operation("autograd::engine::evaluate_function: MmBackward0", 20, 60, "autograd");
  EXPECT_EQ(cut(made)[TracePart::kOperations], 50);
}

TEST(TracePartition, GivesToDataWhatIsNoOperation) {
  MadeTrace made;
  made.step(0, 100).phase("data", 0, 30).operation("aten::index", 10, 20).phase("h2d", 40, 50).phase("forward", 50, 100);
  const auto parts = cut(made);
  EXPECT_EQ(parts[TracePart::kData], 30);
  EXPECT_EQ(parts[TracePart::kOperations], 10);
  EXPECT_EQ(parts.sum(), 100);
}

TEST(TracePartition, TakesAStrangersDataLoaderForData) {
  MadeTrace made;
  made.step(0, 100).add(EventKind::kLoading, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 30);
  made.operation("aten::stack", 10, 15);
  EXPECT_EQ(cut(made)[TracePart::kData], 25);
}

TEST(TracePartition, DoesNotGiveAnInnerPhaseToTheOuterOne) {
  MadeTrace made;
  made.step(0, 100).phase("data", 0, 50).phase("wrapper", 10, 30).operation("aten::mm", 90, 100);
  const auto& trace = made.done();
  const auto timeline = make_timeline(trace, find_steps(trace, "").steps);
  ASSERT_EQ(timeline.phases.size(), 3U);
  EXPECT_EQ(length(timeline.data), 30);
  EXPECT_EQ(phase_at(timeline, 20), index_of(Phase::kWrapper));
  EXPECT_EQ(phase_at(timeline, 40), index_of(Phase::kData));
  EXPECT_EQ(phase_at(timeline, 60), std::nullopt);
}

TEST(TracePartition, CutsWhatRunsOverTheStepsEdge) {
  MadeTrace made;
  made.step(0, 100, 1).step(100, 200, 2).operation("aten::mm", 90, 120);
  const auto& trace = made.done();
  const auto steps = find_steps(trace, "").steps;
  const auto timeline = make_timeline(trace, steps);
  EXPECT_EQ(partition(timeline, steps[0].time).parts[index_of(TracePart::kOperations)], 10);
  EXPECT_EQ(partition(timeline, steps[1].time).parts[index_of(TracePart::kOperations)], 20);
}

// A device: kernels compute; NCCL's are exposed where none does; the rest is idle, by what the host did.
TEST(TracePartition, SaysWhatTheHostDidWhileTheDeviceWasIdle) {
  MadeTrace made;
  made.step(0, 100).phase("data", 0, 20).operation("aten::index", 5, 15);
  made.operation("aten::mm", 20, 30).add(EventKind::kCall, "cudaLaunchKernel", 28, 34, "autograd", 7);
  made.add(EventKind::kKernel, "gemm", 40, 60, "stream 7", 7).add(EventKind::kCopy, "memcpy", 55, 65, "stream 9");
  made.add(EventKind::kCollectiveKernel, "ncclDevKernel_AllReduce", 50, 80, "stream 8");
  made.add(EventKind::kCollective, "nccl:all_reduce", 20, 95, "main");  // until its future is complete
  const auto parts = cut(made);
  EXPECT_EQ(parts[TracePart::kOperations], 25);
  EXPECT_EQ(parts[TracePart::kExposed], 15);
  EXPECT_EQ(parts.parts.hidden, 15);
  EXPECT_EQ(parts[TracePart::kIdleData], 20);
  EXPECT_EQ(parts[TracePart::kIdleLaunching], 14);
  EXPECT_EQ(parts[TracePart::kIdleHost], 26);
  EXPECT_EQ(parts.sum(), 100);
}

TEST(TracePartition, DoesNotTellOperationsFromHostWhereNoneWereRecorded) {
  MadeTrace made;
  made.step(0, 100).phase("data", 0, 30).phase("forward", 30, 90).operation("aten::mm", 200, 300);
  made.add(EventKind::kCollective, "gloo:all_reduce", 40, 80, "gloo");
  const auto parts = cut(made);
  EXPECT_EQ(parts[TracePart::kData], 30);
  EXPECT_EQ(parts[TracePart::kOperationsAndHost], 70);
}

}  // namespace
}  // namespace ddpbench
