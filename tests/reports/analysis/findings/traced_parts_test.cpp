#include "reports/analysis/findings/traced_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/analysis/answer/bottleneck_phrases.hpp"
#include "tests/reports/analysis/resolved_study.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

// Shares of one rank's step.
struct MadeUpTrace {
  double operations = 0.9, exposed = 0.05, waited = 0, data = 0.03, host = 0.02;
};

void add_trace(Study& study, const std::string& launch_id, std::int64_t rank, const MadeUpTrace& made) {
  constexpr double kStepUs = 2000;
  const auto add = [&](const char* part, double share) {
    study.trace_parts.push_back({launch_id, "C1", "raw", rank, 10, part, kStepUs * share, share});
  };
  add("step", 1);
  add("operations", made.operations);
  add("exposed communication", made.exposed);
  add("data", made.data);
  add("host between operations", made.host);
  add("waiting for a slower rank", made.waited);
}

Study study_of_traces(const std::vector<MadeUpTrace>& ranks) {
  Study study;
  auto& cell = study.cells.emplace_back();
  cell.axes.cell_id = "C1";
  cell.axes.ranks_per_node = static_cast<std::int64_t>(ranks.size());
  cell.label = "null";
  cell.arms = {"raw"};
  study = resolved(std::move(study));
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) add_trace(study, "L1", static_cast<std::int64_t>(rank), ranks[rank]);
  return study;
}

struct FoundTrace {
  std::vector<TracedPartRow> rows;
  std::vector<std::string> sentences;
};

FoundTrace found_in(const Study& study) {
  const std::vector<OverheadRow> nothing_compared;
  const Findings findings(study, nothing_compared);
  return {findings.rows<TracedPartRow>(), bottleneck_sentences(findings)};
}

TEST(TracedParts, AddUpToTheStepAndTakeWaitingFromCommunication) {
  const auto found = found_in(study_of_traces({{0.6, 0.3, 0.1, 0.05, 0.05}, {0.8, 0.1, 0, 0.05, 0.05}}));
  ASSERT_THAT(found.rows, SizeIs(5));
  double sum_ms = 0;
  for (const auto& row : found.rows) sum_ms += row.ms;
  EXPECT_DOUBLE_EQ(sum_ms, 2.0);
  EXPECT_EQ(found.rows[1].part, "exposed communication");
  EXPECT_NEAR(found.rows[1].share, 0.15, 1e-12);
  EXPECT_NEAR(found.rows[1].least_share, 0.1, 1e-12);
  EXPECT_NEAR(found.rows[1].most_share, 0.2, 1e-12);
  EXPECT_NEAR(found.rows[2].share, 0.05, 1e-12);
  EXPECT_EQ(found.rows[2].slowest_rank, "1");
}

TEST(TracedParts, NameEachBottleneckInASentence) {
  const auto sentence_of = [](const std::vector<MadeUpTrace>& ranks) { return found_in(study_of_traces(ranks)).sentences.at(0); };
  EXPECT_THAT(sentence_of({{0.5, 0.05, 0, 0.4, 0.05}, {0.5, 0.05, 0, 0.4, 0.05}}),
              AllOf(StartsWith("null on 2 ranks, raw: in a trace (2 ranks, 10 steps each) a step takes 2"),
                    HasSubstr("; 40 % of it is data: a loader that is never waited for would save at most 800 us.")));
  EXPECT_THAT(sentence_of({{0.5, 0.4, 0, 0.05, 0.05}, {0.6, 0.3, 0, 0.05, 0.05}}),
              HasSubstr("35 % of it is exposed communication (30 to 40 % rank by rank): an ideal network"));
  EXPECT_THAT(
      sentence_of({{0.5, 0.4, 0.35, 0.05, 0.05}, {0.85, 0.05, 0, 0.05, 0.05}}),
      HasSubstr("of it is waiting for a slower rank (rank 1 is slow; 0.0 to 35 % rank by rank): ranks that are equally fast"));
  EXPECT_THAT(sentence_of({{0.5, 0.05, 0, 0.05, 0.4}}), HasSubstr("40 % of it is host: a loop without work of its own"));
  EXPECT_THAT(sentence_of({{}, {}}),
              HasSubstr("90 % of it is compute: less or faster computing helps, all else together takes 200 us"));
}

TEST(TracedParts, OfADeviceIdleTimeIsTheHosts) {
  auto study = study_of_traces({{0.5, 0.05, 0, 0, 0}});
  study.trace_parts.push_back({"L1", "C1", "raw", 0, 10, "idle: data", 200, 0.1});
  study.trace_parts.push_back({"L1", "C1", "raw", 0, 10, "idle: operations or launching", 500, 0.25});
  study.trace_parts.push_back({"L1", "C1", "raw", 0, 10, "idle: host between operations", 200, 0.1});
  EXPECT_THAT(found_in(study).sentences,
              ElementsAre(HasSubstr("35 % of it is host: a host that keeps the device busy would save at most 700 us.")));
}

TEST(TracedParts, NoRankIsCalledSlowForALittleWaiting) {
  const auto found = found_in(study_of_traces({{0.85, 0.1, 0.02, 0.03, 0.02}, {0.87, 0.08, 0, 0.03, 0.02}}));
  EXPECT_NEAR(found.rows.at(2).share, 0.01, 1e-12);
  EXPECT_EQ(found.rows.at(2).slowest_rank, "");
}

// The slow rank may be one that did not record.
TEST(TracedParts, OfSomeRanksAloneWaitingIsNotToldApart) {
  auto study = study_of_traces({{0.5, 0.4, 0.3, 0.05, 0.05}, {0.8, 0.1, 0, 0.05, 0.05}});
  std::erase_if(study.trace_parts, [](const TracePartRow& row) { return row.rank == 1; });
  const auto found = found_in(study);
  EXPECT_THAT(found.rows, SizeIs(4));
  EXPECT_THAT(
      found.sentences,
      ElementsAre(HasSubstr("(1 rank, 10 steps) a step takes 2.0 ms; 40 % of it is exposed communication (with waiting for "
                            "a slower rank): an ideal network")));
}

TEST(TracedParts, ARankWithoutAStepIsLeftOut) {
  auto study = study_of_traces({{0.5, 0.05, 0, 0.4, 0.05}, {}});
  std::erase_if(study.trace_parts, [](const TracePartRow& row) { return row.rank == 1 && row.part == "step"; });
  EXPECT_EQ(found_in(study).rows.at(0).ranks, 1);
}

TEST(TracedParts, TheLastTraceOfACellCounts) {
  auto study = study_of_traces({{0.5, 0.05, 0, 0.4, 0.05}, {0.5, 0.05, 0, 0.4, 0.05}});
  add_trace(study, "L2", 0, {});
  const auto found = found_in(study);
  EXPECT_NEAR(found.rows.at(0).share, 0.9, 1e-12);
  EXPECT_EQ(found.rows.at(0).ranks, 1);
}

}  // namespace
}  // namespace ddpbench
