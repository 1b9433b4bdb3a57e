#include "suite/traces/trace_summary.hpp"

#include <gmock/gmock.h>

#include "tests/suite/traces/made_trace.hpp"

namespace ddpbench {
namespace {

using test::MadeTrace;
using ::testing::HasSubstr;
using ::testing::SizeIs;

RankSummary summary_of(MadeTrace& made) {
  const auto& trace = made.done();
  return summarize(trace, find_steps(trace, ""));
}

TEST(TraceSummary, GivesOperationsTheirSelfTime) {
  MadeTrace made;
  made.step(0, 100).operation("aten::linear", 0, 60).operation("aten::mm", 10, 30).operation("aten::mm", 40, 50);
  made.operation("aten::add", 60, 70).operation("aten::mm", 200, 300);
  const auto summary = summary_of(made);
  ASSERT_THAT(summary.arms, SizeIs(1));
  const auto& arm = summary.arms[0].second;
  EXPECT_EQ(arm.operation_names.at("aten::linear").time_ns, 30);
  EXPECT_EQ(arm.operation_names.at("aten::mm").time_ns, 30);
  EXPECT_EQ(arm.operation_names.at("aten::mm").count, 2);
  EXPECT_EQ(arm.operation_names.at("aten::add").time_ns, 10);
  EXPECT_EQ(arm.operations, 4);
}

TEST(TraceSummary, OfTwoSpansIsTheirSum) {
  MadeTrace first, second;
  first.step(0, 100).operation("aten::mm", 0, 60);
  second.step(1000, 1300).operation("aten::mm", 1000, 1020).operation("aten::add", 1020, 1030);
  auto summary = summary_of(first);
  add_span(summary, summary_of(second));
  ASSERT_THAT(summary.arms, SizeIs(1));
  const auto& arm = summary.arms[0].second;
  EXPECT_EQ(arm.steps, 2);
  EXPECT_EQ(arm.step_ns, 400);
  EXPECT_EQ(arm.operation_names.at("aten::mm").time_ns, 80);
  EXPECT_THAT(arm.each_step, SizeIs(2));
}

TEST(TraceSummary, AnArmThatOnlyTheSecondSpanHasStandsBehind) {
  MadeTrace first, second;
  first.block("trainer", 0, 100).step(0, 100);
  second.block("raw", 0, 200).step(0, 200);
  auto summary = summary_of(first);
  add_span(summary, summary_of(second));
  ASSERT_THAT(summary.arms, SizeIs(2));
  EXPECT_EQ(summary.arms[0].first, "trainer");
  EXPECT_EQ(summary.arms[1].first, "raw");
  EXPECT_EQ(summary.arms[1].second.step_ns, 200);
}

TEST(SpanOwner, IsTheWorkerOfTensorBoardsNames) {
  EXPECT_EQ(span_owner("a/rank0.2.pt.trace.json.gz"), "a/rank0");
  EXPECT_EQ(span_owner("a/host_17.1700000000000000000.pt.trace.json"), "a/host_17");
  for (const auto* name :
       {"a/rank0.pt.trace.json.gz", "a.3/rank0.pt.trace.json", "L1.rank0.json.gz", "a.2.json", "a/x.2b.pt.trace.json"})
    EXPECT_EQ(span_owner(name), "") << name;
}

// The kernel runs in the second step, another thread launched it in the first one's backward.
TEST(TraceSummary, GivesAKernelToTheStepAndPhaseOfItsLaunch) {
  MadeTrace made;
  made.block("raw", 0, 100).step(0, 100, 1).phase("forward", 0, 40).phase("backward", 40, 90);
  made.block("trainer", 100, 200).step(100, 200, 2).phase("forward", 100, 190);
  made.add(EventKind::kCall, "cudaLaunchKernel", 50, 55, "autograd", 3);
  made.add(EventKind::kKernel, "gemm", 90, 130, "stream 7", 3).add(EventKind::kKernel, "relu", 150, 160, "stream 7");
  const auto summary = summary_of(made);
  ASSERT_THAT(summary.arms, SizeIs(2));
  const auto& raw = summary.arms[0].second;
  const auto& backward = raw.phases[index_of(Phase::kBackward)];
  EXPECT_EQ(backward.kernels, 1);
  EXPECT_EQ(backward.kernels_ns, 40);
  EXPECT_EQ(raw.launches, 1);
  EXPECT_EQ(raw.late_ns, 30);
  EXPECT_EQ(raw.kernel_names.at("gemm").time_ns, 40);
  EXPECT_EQ(raw.phases[index_of(Phase::kForward)].kernels, 0);
  // Without a call: by the time at which it ran.
  EXPECT_EQ(summary.arms[1].second.phases[index_of(Phase::kForward)].kernels, 1);
}

TEST(TraceSummary, CountsCollectivesTheirBytesAndWhatIsExposed) {
  MadeTrace made;
  made.step(0, 100).operation("aten::mm", 0, 30);
  made.add(EventKind::kCollective, "gloo:all_reduce", 10, 50, "gloo", 0, 4000)
      .add(EventKind::kCollective, "gloo:all_reduce", 60, 70, "gloo");
  const auto summary = summary_of(made);
  const auto& sum = summary.arms[0].second.collective_names.at("gloo:all_reduce");
  EXPECT_EQ(sum.count, 2);
  EXPECT_EQ(sum.time_ns, 50);
  EXPECT_EQ(sum.exposed_ns, 30);
  EXPECT_EQ(sum.sized, 1);
  EXPECT_EQ(sum.bytes, 4000);
  EXPECT_EQ(sum.sized_ns, 40);
}

// Two collectives at once: the first has the time that both are waited for.
TEST(TraceSummary, AddsExposedCommunicationUpToThePartOfTheStep) {
  MadeTrace made;
  made.step(0, 100).operation("aten::mm", 0, 30);
  made.add(EventKind::kCollective, "gloo:all_reduce", 20, 60, "gloo")
      .add(EventKind::kCollective, "gloo:broadcast", 40, 80, "gloo 2");
  made.add(EventKind::kCollective, "gloo:gather", 45, 55, "gloo 3").add(EventKind::kCollective, "gloo:barrier", 90, 150, "gloo");
  const auto summary = summary_of(made);
  const auto& arm = summary.arms[0].second;
  EXPECT_EQ(arm.collective_names.at("gloo:all_reduce").exposed_ns, 30);
  EXPECT_EQ(arm.collective_names.at("gloo:broadcast").exposed_ns, 20);
  EXPECT_EQ(arm.collective_names.at("gloo:gather").exposed_ns, 0);
  EXPECT_EQ(arm.collective_names.at("gloo:barrier").exposed_ns, 10);
  EXPECT_EQ(arm.partition.parts[index_of(TracePart::kExposed)], 60);
}

TEST(TraceSummary, CountsNcclByItsKernelsWhereThereAreSome) {
  MadeTrace made;
  made.step(0, 100).add(EventKind::kKernel, "gemm", 0, 20, "stream 7");
  made.add(EventKind::kCollective, "nccl:all_reduce", 0, 90)
      .add(EventKind::kCollectiveKernel, "ncclDevKernel_AllReduce", 10, 40, "stream 8");
  const auto summary = summary_of(made);
  const auto& names = summary.arms[0].second.collective_names;
  ASSERT_THAT(names, SizeIs(1));
  EXPECT_EQ(names.at("ncclDevKernel_AllReduce").exposed_ns, 20);
}

// Its annotations say when a future was complete, not when a device communicated.
TEST(TraceSummary, SaysThatKernelsOfNcclAreMissing) {
  MadeTrace made;
  made.step(0, 100).operation("aten::mm", 0, 20).add(EventKind::kCollective, "nccl:all_reduce", 0, 90);
  const auto summary = summary_of(made);
  EXPECT_THAT(summary.note, HasSubstr("no kernels"));
  EXPECT_EQ(summary.arms[0].second.partition.parts[index_of(TracePart::kExposed)], 0);
  EXPECT_TRUE(summary.arms[0].second.collective_names.empty());
}

TEST(TraceSummary, AddsPhasesUpToTheStep) {
  MadeTrace made;
  made.block("raw", 0, 300).step(0, 100, 1).phase("forward", 0, 60).phase("wrapper", 10, 30).operation("aten::mm", 0, 5);
  const auto summary = summary_of(made);
  const auto& arm = summary.arms[0].second;
  EXPECT_EQ(arm.phases[index_of(Phase::kForward)].time_ns, 40);
  EXPECT_EQ(arm.phases[index_of(Phase::kWrapper)].time_ns, 20);
  EXPECT_EQ(arm.phases[index_of(Phase::kWrapper)].marks, 1);
  EXPECT_EQ(arm.phases[index_of(Phase::kOther)].time_ns, 40);
}

TEST(TraceSummary, AddsRanks) {
  MadeTrace made;
  made.step(0, 100).operation("aten::mm", 0, 30);
  const auto summary = summary_of(made);
  ArmSum sum;
  add(sum, summary.arms[0].second);
  add(sum, summary.arms[0].second);
  EXPECT_EQ(sum.steps, 2);
  EXPECT_EQ(sum.step_ns, 200);
  EXPECT_EQ(sum.partition.parts[index_of(TracePart::kOperations)], 60);
  EXPECT_EQ(sum.operation_names.at("aten::mm").time_ns, 60);
}

}  // namespace
}  // namespace ddpbench
