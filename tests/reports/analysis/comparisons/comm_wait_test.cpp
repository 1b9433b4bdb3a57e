#include "reports/analysis/comparisons/comm_wait.hpp"

#include <gmock/gmock.h>

#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

class CommWait : public AnalysedRun {
 protected:
  static OverheadRow trainer_on(const AnalysisResult& result, const std::string& clock) { return find(result, "trainer", clock); }
};

SyntheticLaunch waiting() {
  SyntheticLaunch launch;
  launch.waits_us = {{"trainer", 3}};
  return launch;
}

TEST_F(CommWait, IsWhatTheArmWaitsBeyondItsReference) {
  const auto row = trainer_on(analyse_launches({waiting()}), "wall");
  EXPECT_NEAR(row.comm_wait_us.value, 3, 1e-6);
  EXPECT_LE(row.comm_wait_us.lo, row.comm_wait_us.value);
  EXPECT_GE(row.comm_wait_us.hi, row.comm_wait_us.value);
}

TEST_F(CommWait, StandsBesideTheWallClockOnly) {
  const auto result = analyse_launches({SyntheticLaunch{}});
  EXPECT_TRUE(std::isnan(trainer_on(result, "thread_cpu").comm_wait_us.value));
}

SyntheticLaunch computed_by_a_device() {
  auto launch = waiting();
  launch.device_us = 4000;
  return launch;
}

TEST_F(CommWait, IsNotKnownWhereADeviceComputes) {
  const auto result = analyse_launches({computed_by_a_device()});
  EXPECT_TRUE(std::isnan(trainer_on(result, "wall").comm_wait_us.value));
}

TEST_F(CommWait, ARowSaysWhatItsArmRanOn) {
  SyntheticLaunch other;
  other.launch_id = "L0002";
  other.versions = "torch=2.12.0";
  const auto result = analyse_launches({SyntheticLaunch{}, other});
  EXPECT_EQ(trainer_on(result, "wall").versions, "torch=2.11.0 or torch=2.12.0");
}

}  // namespace
}  // namespace ddpbench
