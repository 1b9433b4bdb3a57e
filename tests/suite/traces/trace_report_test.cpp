#include "suite/traces/trace_report.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "suite/base/text.hpp"
#include "tests/suite/traces/made_trace.hpp"

namespace ddpbench {
namespace {

using test::MadeTrace;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::int64_t kUs = 1000;

// A step of 1000 us, of which `operations_us` are operations; then a collective until 900, then data until 950.
RankReport rank_of(int rank, int operations_us) {
  MadeTrace made;
  made.block("raw", 0, 1000 * kUs).step(0, 1000 * kUs).operation("aten::mm", 0, operations_us * kUs);
  made.add(EventKind::kCollective, "gloo:all_reduce", 100 * kUs, 900 * kUs, "gloo", 0, 8000).phase("data", 900 * kUs, 950 * kUs);
  auto trace = made.done();
  trace.rank = rank;
  trace.launch = "L1";
  return {summarize(trace, find_steps(trace, "")), std::nullopt};
}

TEST(TraceReport, AnswersInASentenceWhosePartsAddUp) {
  const auto text = trace_text({rank_of(0, 700)}, 5);
  EXPECT_THAT(text, StartsWith("raw (launch L1): a step takes 1.00 ms: 70 % operations, 20 % exposed communication, 5.0 % data, "
                               "5.0 % host between operations; longest operation aten::mm (700 us a step); exposed communication "
                               "waits in gloo:all_reduce\n"));
}

TEST(TraceReport, MeansOverRanksAndNamesTheSlowestOne) {
  const std::vector<RankReport> ranks{rank_of(0, 700), rank_of(1, 500)};
  const auto text = trace_text(ranks, 5);
  EXPECT_THAT(text, HasSubstr("60 % operations, 30 % exposed communication"));
  EXPECT_THAT(text, HasSubstr("slowest rank: 0, 800 us a step without its exposed communication"));
  EXPECT_THAT(text, HasSubstr("2 steps of 2 ranks"));
  EXPECT_THAT(trace_text({rank_of(0, 700)}, 5), Not(AnyOf(HasSubstr("slowest"), HasSubstr("slower"))));
}

// Rank 0 exposes 200 us, rank 1 400 us: 200 us of them it waits for rank 0.
TEST(TraceReport, TellsWhatOfExposedCommunicationIsWaitingForASlowerRank) {
  const std::vector<RankReport> ranks{rank_of(0, 700), rank_of(1, 500)};
  EXPECT_THAT(trace_text(ranks, 5), HasSubstr("30 % exposed communication (10 % of the step waiting for a slower rank)"));
  const auto json = trace_json(ranks, 5);
  const auto& arm = json["arms"][0];
  EXPECT_EQ(arm["waiting_for_slower_rank_us"], 100.0);
  EXPECT_EQ(arm["ranks"][0]["waiting_for_slower_rank_us"], 0.0);
  EXPECT_EQ(arm["ranks"][1]["waiting_for_slower_rank_us"], 200.0);
  EXPECT_THAT(trace_csv(ranks), HasSubstr("raw,1,waiting for a slower rank,200,0.2,L1\n"));
  EXPECT_EQ(trace_json({rank_of(0, 700)}, 5)["arms"][0]["waiting_for_slower_rank_us"], nullptr);
  EXPECT_EQ(trace_json({rank_of(1, 700), rank_of(1, 500)}, 5)["arms"][0]["waiting_for_slower_rank_us"], nullptr)
      << "twice the same rank";
}

TEST(TraceReport, ShowsSoManyNames) { EXPECT_THAT(trace_text({rank_of(0, 700)}, 0), Not(HasSubstr("self time"))); }

TEST(TraceReport, TellsIdleTimeWithItsCauses) {
  MadeTrace made;
  made.step(0, 100 * kUs).add(EventKind::kKernel, "gemm", 0, 60 * kUs, "stream 7").operation("aten::mm", 60 * kUs, 90 * kUs);
  const auto& trace = made.done();
  const std::vector<RankReport> ranks{{summarize(trace, find_steps(trace, "")), std::nullopt}};
  EXPECT_THAT(
      trace_text(ranks, 5),
      StartsWith("ProfilerStep: a step takes 100 us: 60 % operations, 0 % exposed communication, 40 % idle (the host: 0 % data, "
                 "30 % operations or launching, 10 % host between operations); longest kernel or copy gemm (60.0 us a step)\n"));
}

TEST(TraceReport, ClaimsNoOperationsWhereNoneWereRecorded) {
  MadeTrace made;
  made.step(0, 100 * kUs).phase("forward", 0, 60 * kUs);
  const auto& trace = made.done();
  const std::vector<RankReport> ranks{{summarize(trace, find_steps(trace, "")), std::nullopt}};
  EXPECT_THAT(trace_text(ranks, 5),
              StartsWith("ProfilerStep: a step takes 100 us; the trace records neither operations nor kernels: 0 % data, 100 % "
                         "operations and host; by phase: 60 % forward, 40 % other\n"));
  EXPECT_THAT(trace_text({ranks[0], ranks[0]}, 5), Not(AnyOf(HasSubstr("communication"), HasSubstr("slowest"))));
}

TEST(TraceReport, SaysThatTheWholeWindowIsMeant) {
  MadeTrace made;
  made.operation("aten::mm", 0, 100 * kUs);
  const auto& trace = made.done();
  const std::vector<RankReport> ranks{{summarize(trace, find_steps(trace, "")), std::nullopt}};
  EXPECT_THAT(trace_text(ranks, 5),
              StartsWith("whole window: no step was found; the whole window takes 100 us: 100 % operations"));
}

TEST(TraceReport, SaysWhetherTimersAgree) {
  auto rank = rank_of(0, 700);
  rank.timers = TimerComparison{{{"raw", "step", 1000, 990, 10, 49.5}, {"raw", "data", 50, 40, 10, 2}}, 1, 0, 0};
  EXPECT_FALSE(timers_agree({rank}));
  const auto text = trace_text({rank}, 5);
  EXPECT_THAT(text, HasSubstr("rank 0: trace and timers of 1 step do not agree: 1 of 2 figures are beyond the gate"));
  EXPECT_THAT(text, HasSubstr("+10.0"));
  rank.timers->rows.pop_back();
  EXPECT_TRUE(timers_agree({rank}));
  EXPECT_THAT(trace_text({rank}, 5), HasSubstr("rank 0: trace and timers of 1 step agree"));
}

TEST(TraceReport, WritesTheSameAsJson) {
  const auto json = trace_json({rank_of(0, 700), rank_of(1, 500)}, 5);
  ASSERT_THAT(json["arms"], SizeIs(1));
  const auto& arm = json["arms"][0];
  EXPECT_EQ(arm["arm"], "raw");
  EXPECT_EQ(arm["steps"], 2);
  EXPECT_EQ(arm["step_us"], 1000.0);
  double sum = 0;
  for (const auto& part : arm["parts"]) sum += part["us"].get<double>();
  EXPECT_DOUBLE_EQ(sum, 1000);
  EXPECT_EQ(arm["collectives"][0]["bytes_each"], 8000.0);
  EXPECT_EQ(arm["collectives"][0]["gb_per_s"], 0.01);
  EXPECT_EQ(arm["slowest_rank"], "0");
  EXPECT_EQ(arm["ranks"][1]["parts"][0]["share"], 0.5);
  EXPECT_EQ(json["timers_agree"], true);
}

TEST(TraceReport, WritesTheSameAsCsv) {
  const auto lines = split(trace_csv({rank_of(0, 700)}), '\n');
  ASSERT_GE(lines.size(), 4U);
  EXPECT_EQ(lines[0], "arm,rank,part,us,share,launch");
  EXPECT_EQ(lines[1], "raw,0,step,1000,1,L1");
  EXPECT_EQ(lines[2], "raw,0,operations,700,0.7,L1");
  EXPECT_EQ(lines[3], "raw,0,exposed communication,200,0.2,L1");
}

// A name of a trace is anybody's text.
TEST(TraceReport, PrintsNoControlCharactersOfATrace) {
  MadeTrace made;
  made.step(0, 100 * kUs).operation("aten::\x1b[31mmm\n", 0, 60 * kUs);
  const auto& trace = made.done();
  EXPECT_THAT(trace_text({{summarize(trace, find_steps(trace, "")), std::nullopt}}, 5), HasSubstr("aten::?[31mmm?"));
}

}  // namespace
}  // namespace ddpbench
