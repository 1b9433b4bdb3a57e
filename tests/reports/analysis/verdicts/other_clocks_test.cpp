#include "reports/analysis/verdicts/other_clocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

Study study_on(Clock primary) {
  Study study;
  study.primary_clock = primary;
  return study;
}

OverheadRow row_of(const char* clock, double lo_us, double hi_us, const char* verdict) {
  OverheadRow row;
  row.cell_id = "C1";
  row.arm = "trainer";
  row.clock = clock;
  row.overhead_us.value = 0.5 * (lo_us + hi_us);
  row.overhead_us.lo = lo_us;
  row.overhead_us.hi = hi_us;
  row.step_us = 1000;
  row.margin_us = 5;
  row.at_least_us = lo_us;
  row.at_most_us = hi_us;
  row.verdict = verdict;
  row.reason = "inside ±5 us";
  return row;
}

std::vector<OverheadRow> held(std::vector<OverheadRow> rows, Clock primary = Clock::kAwaited) {
  hold_against_other_clocks(study_on(primary), rows);
  return rows;
}

// The arm waits 50 us of each step: CPU time does not see it.
TEST(OtherClocks, AnArmThatWaitsIsNotEquivalentOnAnyClock) {
  const auto rows = held({row_of("thread_cpu", -3, 3, verdict::kEquivalent), row_of("awaited", 45, 55, verdict::kSlower),
                          row_of("wall", -200, 300, verdict::kAmbiguous)});
  EXPECT_EQ(rows[0].verdict, verdict::kAmbiguous);
  EXPECT_THAT(rows[0].reason,
              HasSubstr("costs at most 5.5 % (55 us): inside ±5 us; but on awaited time it costs +50 us [+45, +55]"));
  EXPECT_EQ(rows[1].verdict, verdict::kSlower);
}

TEST(OtherClocks, WhatTheWallSurelyShowsIsNotEquivalentEither) {
  const auto rows = held({row_of("awaited", -3, 3, verdict::kEquivalent), row_of("wall", 10, 40, verdict::kSlower)});
  EXPECT_EQ(rows[0].verdict, verdict::kAmbiguous);
  EXPECT_THAT(rows[0].reason, HasSubstr("on wall time it costs +25 us"));
  const auto faster = held({row_of("awaited", -3, 3, verdict::kEquivalent), row_of("wall", -40, -10, verdict::kFaster)});
  EXPECT_EQ(faster[0].verdict, verdict::kAmbiguous);
}

TEST(OtherClocks, TheBoundsOfARowThatIsTakenBackHoldTheOtherClocksFigure) {
  const auto rows = held({row_of("awaited", -3, 3, verdict::kEquivalent), row_of("wall", 10, 40, verdict::kSlower)});
  EXPECT_EQ(rows[0].at_least_us, -3);
  EXPECT_EQ(rows[0].at_most_us, 40);
}

TEST(OtherClocks, AWideWallSaysNothingAgainstIt) {
  const auto rows = held({row_of("awaited", -3, 3, verdict::kEquivalent), row_of("thread_cpu", -2, 2, verdict::kEquivalent),
                          row_of("wall", -200, 300, verdict::kAmbiguous)});
  EXPECT_EQ(rows[0].verdict, verdict::kEquivalent);
  EXPECT_EQ(rows[1].verdict, verdict::kEquivalent);
}

// By itself it bears none: where awaited time is open, so is the arm.
TEST(OtherClocks, HostCpuIsEquivalentOnlyWhereThePrimaryClockIs) {
  const auto rows = held({row_of("thread_cpu", -2, 2, verdict::kEquivalent), row_of("awaited", -8, 9, verdict::kAmbiguous)});
  EXPECT_EQ(rows[0].verdict, verdict::kAmbiguous);
  EXPECT_THAT(rows[0].reason, HasSubstr("host CPU does not see what is waited for, and awaited time does not say so too"));
  EXPECT_EQ(held({row_of("thread_cpu", -2, 2, verdict::kEquivalent)}, Clock::kWall)[0].verdict, verdict::kAmbiguous);
}

TEST(OtherClocks, ABudgetThatAnotherClockExceedsIsNotAccepted) {
  auto accepted = row_of("awaited", -3, 3, verdict::kEquivalent);
  accepted.budget_percent = 2;  // 20 us
  accepted.budget_verdict = budget_verdict::kAccept;
  EXPECT_EQ(held({accepted, row_of("wall", 15, 60, verdict::kSlower)})[0].budget_verdict, budget_verdict::kAccept);
  const auto rows = held({accepted, row_of("wall", 25, 60, verdict::kSlower)});
  EXPECT_EQ(rows[0].budget_verdict, budget_verdict::kUndecided);
  EXPECT_THAT(rows[0].reason, HasSubstr("so that the budget is UNDECIDED"));
}

// A host that enqueues for a device is not what a step waits for.
TEST(OtherClocks, BesideADeviceItsClockAloneSpeaks) {
  const auto rows = held({row_of("device", -3, 3, verdict::kEquivalent), row_of("wall", 10, 40, verdict::kSlower),
                          row_of("thread_cpu", -2, 2, verdict::kEquivalent)},
                         Clock::kDevice);
  EXPECT_EQ(rows[0].verdict, verdict::kEquivalent);
  EXPECT_EQ(rows[2].verdict, verdict::kEquivalent);
}

TEST(OtherClocks, OfAnotherArmOrAnUnmeasurableRowNothingFollows) {
  auto other_arm = row_of("wall", 10, 40, verdict::kSlower);
  other_arm.arm = "injected";
  EXPECT_EQ(held({row_of("awaited", -3, 3, verdict::kEquivalent), other_arm})[0].verdict, verdict::kEquivalent);
  EXPECT_EQ(held({row_of("awaited", -3, 3, verdict::kEquivalent), row_of("wall", 10, 40, verdict::kUnmeasurable)})[0].verdict,
            verdict::kEquivalent);
}

// Whatever rows are drawn: none is called equal or accepted that another clock surely has beyond it.
TEST(OtherClocks, NoDrawnFolderContradictsItself) {
  std::mt19937 words(3);
  const auto between = [&](double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(words()) / static_cast<double>(std::mt19937::max());
  };
  for (int drawn = 0; drawn < 2000; ++drawn) {
    std::vector<OverheadRow> rows;
    for (const auto* clock : {"wall", "thread_cpu", "awaited"}) {
      const double centre = between(-30, 30), half = between(0, 30);
      const bool inside = centre - half >= -5 && centre + half <= 5;
      auto& row = rows.emplace_back(row_of(clock, centre - half, centre + half,
                                           inside           ? verdict::kEquivalent
                                           : centre > half  ? verdict::kSlower
                                           : centre < -half ? verdict::kFaster
                                                            : verdict::kAmbiguous));
      row.budget_percent = 1;
      if (std::string(clock) == "awaited")
        row.budget_verdict = centre + half <= 10 ? budget_verdict::kAccept : budget_verdict::kUndecided;
    }
    rows = held(std::move(rows));
    for (const auto& row : rows) {
      for (const auto& other : rows) {
        if (other.clock == "thread_cpu") continue;
        const bool is_beyond = other.overhead_us.lo > 5 || other.overhead_us.hi < -5;
        EXPECT_FALSE(row.verdict == verdict::kEquivalent && is_beyond) << drawn;
        EXPECT_FALSE(row.budget_verdict == budget_verdict::kAccept && other.overhead_us.lo > 10) << drawn;
      }
      EXPECT_FALSE(row.verdict == verdict::kEquivalent && rows[2].verdict != verdict::kEquivalent && row.clock == "thread_cpu")
          << drawn;
    }
  }
}

}  // namespace
}  // namespace ddpbench
