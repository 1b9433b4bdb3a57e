#include "suite/traces/step_memory.hpp"

#include <gmock/gmock.h>

#include <array>
#include <nlohmann/json.hpp>

#include "suite/traces/trace_report.hpp"
#include "tests/suite/traces/made_trace.hpp"

namespace ddpbench {
namespace {

using test::MadeTrace;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kMebi = 1024 * 1024;
constexpr auto kForward = index_of(Phase::kForward), kBackward = index_of(Phase::kBackward), kOther = index_of(Phase::kOther);

// Two steps of a loop by hand: parameters live on, forward keeps activations that backward releases.
MadeTrace two_steps() {
  MadeTrace made;
  made.block("raw", 0, 3000);
  for (const std::int64_t begin : {1000, 2000}) {
    made.step(begin, begin + 1000, begin / 1000).operation("aten::mm", begin, begin + 10);
    made.phase("other", begin, begin + 1000).phase("forward", begin + 100, begin + 400);
    made.phase("backward", begin + 500, begin + 900);
    made.memory(begin + 200, 50 * kMebi).memory(begin + 300, (begin == 1000 ? 80 : 90) * kMebi);
    made.memory(begin + 600, 85 * kMebi).memory(begin + 700, 10 * kMebi);
  }
  return made.memory(500, 10 * kMebi);
}

DeviceMemory memory_of(MadeTrace& made) {
  const auto& trace = made.done();
  const auto summary = summarize(trace, find_steps(trace, ""));
  return summary.arms.at(0).second.memory.at(0);
}

std::int64_t mebi(const std::optional<MemoryPeak>& peak) { return peak.value().allocated / kMebi; }

TEST(StepMemory, ThePeakOfAPhaseIsTheMostThatLivedWhileItWasTheInnermost) {
  auto made = two_steps();
  const auto memory = memory_of(made);
  EXPECT_EQ(memory.device, "cpu");
  EXPECT_EQ(memory.peak.allocated, 90 * kMebi);
  EXPECT_EQ(mebi(memory.phases[kForward]), 90);
  EXPECT_EQ(mebi(memory.phases[kBackward]), 90) << "what forward left lives when it begins";
  EXPECT_EQ(mebi(memory.phases[kOther]), 90) << "between the two";
  EXPECT_FALSE(memory.phases[index_of(Phase::kData)]);
  EXPECT_EQ(memory.phase, kForward) << "the first at which so much lived";
  EXPECT_EQ(memory.at_ns, 300);
  EXPECT_EQ(memory.step_ns, 1000);
}

TEST(StepMemory, WhatLivedBeforeAStepLivesInIt) {
  auto made = MadeTrace().step(1000, 2000);
  made.memory(500, 7 * kMebi).memory(2500, 90 * kMebi);
  const auto memory = memory_of(made);
  EXPECT_EQ(memory.peak.allocated, 7 * kMebi) << "what comes behind the step is not its";
  EXPECT_THAT(memory.typical, SizeIs(1));
}

TEST(StepMemory, NothingIsSaidOfATimeBeforeTheFirstCount) {
  MadeTrace made;
  made.step(0, 1000).phase("forward", 0, 400).phase("backward", 400, 1000).memory(600, 5);
  const auto memory = memory_of(made);
  EXPECT_FALSE(memory.phases[kForward]);
  EXPECT_EQ(memory.phases[kBackward].value().allocated, 5);
  MadeTrace without;
  const auto& trace = without.step(0, 1000).done();
  EXPECT_THAT(summarize(trace, find_steps(trace, "")).arms.at(0).second.memory, IsEmpty()) << "not recorded";
}

TEST(StepMemory, ACacheOfADeviceIsCountedBesideItsTensors) {
  MadeTrace made;
  made.step(0, 1000).memory(10, 3, 8, "cuda:0").memory(20, 5, 8, "cuda:0").memory(30, 1, 8, "cuda:0");
  const auto memory = memory_of(made);
  EXPECT_EQ(memory.device, "cuda:0");
  EXPECT_EQ(memory.peak.reserved, 8);
  EXPECT_TRUE(memory.is_whole) << "its allocator counts all";
}

TEST(StepMemory, TheTypicalStepIsTheOneOfMedianLength) {
  MadeTrace made;
  made.memory(0, 1);
  constexpr std::array<Interval, 3> kSteps{{{1000, 1900}, {2000, 2500}, {3000, 3300}}};
  for (const auto& [begin, end] : kSteps) made.step(begin, end).memory(begin + 100, end);
  const auto memory = memory_of(made);
  EXPECT_EQ(memory.typical_ns, 500);
  ASSERT_THAT(memory.typical, SizeIs(2));
  EXPECT_EQ(memory.typical[0].allocated, 1900) << "from the step before";
  EXPECT_EQ(memory.typical[1].allocated, 2500);
  EXPECT_EQ(memory.typical[1].offset_ns, 100);
}

TEST(StepMemory, ThinnedPointsKeepTheLargestAndWhatLivesOn) {
  std::vector<MemoryPoint> points;
  for (std::int64_t i = 0; i < 10'000; ++i) points.push_back({i, i < 5'003 ? kForward : kBackward, i == 4'321 ? 99 : i % 2, 0});
  const auto kept = thinned(points, 10'000, 100);
  EXPECT_LE(kept.size(), 110U);
  EXPECT_EQ(std::max_element(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.allocated < b.allocated; })
                ->allocated,
            99);
  EXPECT_EQ(kept.back().allocated, points.back().allocated);
  EXPECT_EQ(std::count_if(kept.begin(), kept.end(), [](const auto& one) { return one.offset_ns == 5'003; }), 1)
      << "a phase begins there";
}

TEST(StepMemory, RanksTogetherHaveTheLargest) {
  auto first = two_steps(), second = two_steps();
  second.memory(2650, 120 * kMebi).memory(2660, 85 * kMebi);
  auto sum = memory_of(first);
  sum.add(memory_of(second));
  EXPECT_EQ(mebi(sum.peak), 120);
  EXPECT_EQ(sum.phase, kBackward);
  EXPECT_EQ(sum.at_ns, 650);
  EXPECT_EQ(mebi(sum.phases[kForward]), 90);
}

std::vector<RankReport> report_of(MadeTrace& made) {
  const auto& trace = made.done();
  return {{summarize(trace, find_steps(trace, "")), std::nullopt}};
}

TEST(StepMemory, IsToldWithItsPhaseAndPlaceInTheStep) {
  auto made = two_steps();
  made.knows_all_host_memory(true);
  const auto reports = report_of(made);
  const auto text = trace_text(reports, 5);
  EXPECT_THAT(text, HasSubstr("; memory of cpu is largest 30 % into a step, in forward: 90.0 MiB\n"));
  EXPECT_THAT(text, HasSubstr("memory of cpu  peak MiB"));
  EXPECT_THAT(text, Not(HasSubstr("since the recording began")));
  const auto json = trace_json(reports, 5).at("arms").at(0).at("memory").at(0);
  EXPECT_EQ(json.at("device"), "cpu");
  EXPECT_EQ(json.at("counts"), "all");
  EXPECT_EQ(json.at("peak_mib"), 90);
  EXPECT_TRUE(json.at("peak_reserved_mib").is_null());
  EXPECT_EQ(json.at("phase"), "forward");
  EXPECT_EQ(json.at("phases").size(), 3U);
}

TEST(StepMemory, OfAStrangersTraceCountsFromTheRecordingsBegin) {
  MadeTrace made;
  made.step(0, 1000).operation("aten::mm", 0, 100).memory(250, 3 * kMebi);
  const auto text = trace_text(report_of(made), 5);
  EXPECT_THAT(text, HasSubstr("; memory of cpu is largest 25 % into a step: 3.00 MiB of what was allocated since the recording "
                              "began\n"));
  EXPECT_THAT(text, HasSubstr("older memory and its release are not in it"));
}

}  // namespace
}  // namespace ddpbench
