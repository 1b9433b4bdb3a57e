#include "suite/runs/resolution_history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "suite/base/durable_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class ResolutionHistory : public testing::Test {
 protected:
  ResolutionHistory() { ::setenv("XDG_CACHE_HOME", scratch_.path().c_str(), 1); }
  ~ResolutionHistory() override { ::unsetenv("XDG_CACHE_HOME"); }

  ScratchFolder scratch_;
};

KnownResolution known(const std::string& cell, const std::string& arm, double us) {
  return {cell, "matmuls=1", arm, "thread_cpu", "2026-11-22T05:00:00Z", us, 0.62, 1200, 3};
}

PlannedLaunch launch_of(const std::string& cell, const std::string& options,
                        std::vector<std::string> arms = {"trainer", "raw_item"}) {
  PlannedLaunch launch;
  launch.spec.cell_id = cell;
  launch.spec.arms = std::move(arms);
  launch.options = options;
  return launch;
}

TEST_F(ResolutionHistory, TellsWhatWasMeasuredLast) {
  EXPECT_THAT(known_resolutions(), IsEmpty());
  remember_resolutions({known("C1", "trainer", 9), known("C1", "raw_item", 2.5)});
  remember_resolutions({known("C1", "trainer", 3.2)});
  const auto found = known_resolutions();
  EXPECT_EQ(resolution_phrase(found, launch_of("C1", "matmuls=1")),
            "raw_item ±2.5 us (0.4 % of 620 us; 1200 pairs in 3 launches, 2026-11-22), trainer ±3.2 us (0.52 % of 620 us; 1200 "
            "pairs in 3 "
            "launches, 2026-11-22)");
  auto slow = known("C1", "trainer", 845);
  slow.step_ms = 5.478;
  EXPECT_EQ(resolution_phrase({slow}, launch_of("C1", "matmuls=1")),
            "trainer ±840 us (15 % of 5.48 ms; 1200 pairs in 3 launches, 2026-11-22)");
  EXPECT_EQ(resolution_phrase(found, launch_of("C1", "matmuls=2")), "");
  EXPECT_EQ(resolution_phrase(found, launch_of("C2", "matmuls=1")), "");
}

TEST_F(ResolutionHistory, TellsOnlyOfArmsThatAreToBeMeasured) {
  EXPECT_EQ(resolution_phrase({known("C1", "trainer", 1)}, launch_of("C1", "matmuls=1", {"raw", "raw_item"})), "");
}

TEST_F(ResolutionHistory, IsBounded) {
  std::vector<KnownResolution> many;
  for (std::size_t i = 0; i < kMostKnownResolutions + 10; ++i) many.push_back(known("C" + std::to_string(i), "trainer", 1));
  remember_resolutions(many);
  EXPECT_THAT(known_resolutions(), SizeIs(kMostKnownResolutions));
  EXPECT_EQ(known_resolutions().front().cell_id, "C10");
}

TEST_F(ResolutionHistory, WhatCannotBeReadIsNoError) {
  remember_resolutions({known("C1", "trainer", 9)});
  replace_file(resolution_history_path().string(), "\x1f\x8b nonsense");
  EXPECT_THAT(known_resolutions(), IsEmpty());
  remember_resolutions({known("C1", "trainer", 9)});
  EXPECT_THAT(known_resolutions(), SizeIs(1));
}

TEST(Resolutions, AreOfSubjectsOnTheClockOfTheAnswer) {
  std::vector<OverheadRow> rows(4);
  const char* arms[] = {"trainer", "raw_again", "trainer", "trainer-loss"};
  const char* clocks[] = {"thread_cpu", "thread_cpu", "wall", "thread_cpu"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].cell_id = "C1";
    rows[i].arm = arms[i];
    rows[i].clock = clocks[i];
    if (i < 3) rows[i].resolution_us = 3;
  }
  std::vector<PlanRow> plan(1);
  plan[0].cell_id = "C1";
  plan[0].options = "matmuls=1";
  std::vector<ArmFacts> facts(3);
  facts[0].name = "trainer";
  facts[1].name = "raw_again";
  facts[1].role = ArmRole::kAaControl;
  facts[2].name = "trainer-loss";
  const auto found = resolutions_of({rows, "thread_cpu", plan, facts, "2026-11-22T05:00:00Z"});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].arm, "trainer");
  EXPECT_EQ(found[0].options, "matmuls=1");

  std::vector<RunRow> runs(2);
  runs[0].cell_id = "C2";
  runs[0].profiled = "nsys";
  runs[1].cell_id = "C1";
  const MeasuredRun run{rows, "thread_cpu", plan, facts, "2026-11-22T05:00:00Z", runs};
  EXPECT_THAT(resolutions_of(run), SizeIs(1));
  runs[1].profiled = "nsys";
  EXPECT_THAT(resolutions_of(run), IsEmpty()) << "its blocks' scatter is the profiler's, too";

  facts[0].module = "mine";  // the next user's module may have that name, too
  EXPECT_THAT(resolutions_of({rows, "thread_cpu", plan, facts, "2026-11-22T05:00:00Z"}), IsEmpty());
}

}  // namespace
}  // namespace ddpbench
