#include "suite/runs/launch_rows.hpp"

#include <gmock/gmock.h>

#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/status.hpp"
#include "tests/support/script_folder.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

PlannedLaunch two_arms() {
  PlannedLaunch launch;
  launch.spec.launch_id = "L0001";
  launch.spec.arms = {"raw", "trainer"};
  launch.options = "data=constant";
  return launch;
}

TEST(LaunchRows, HasARowPerArmEvenWithoutSamples) {
  const auto result = rows_without_samples(two_arms(), {status::kSkipped, "no GPU", {}, ""});
  ASSERT_THAT(result.runs, SizeIs(2));
  EXPECT_EQ(result.runs[1].arm, "trainer");
  EXPECT_EQ(result.runs[1].status, status::kSkipped);
  EXPECT_EQ(result.runs[1].reason, "no GPU");
  EXPECT_EQ(result.runs[1].options, "data=constant");
  EXPECT_THAT(result.steps_csv, IsEmpty());
}

TEST(LaunchRows, KeepsTheFateOfASingleArm) {
  const auto result = rows_without_samples(two_arms(), {status::kOk, "", {{"trainer", {status::kWrongResult, "loss"}}}, "node1"});
  EXPECT_EQ(result.runs[0].status, status::kOk);
  EXPECT_EQ(result.runs[1].status, status::kWrongResult);
  EXPECT_EQ(result.runs[1].host_list, "node1");
}

TEST(LaunchRows, SayWhatEachArmRanOn) {
  LaunchOutcome ended{status::kOk, "", {}, "node1"};
  ended.versions = {{"trainer", "torch=2.11.0;python=3.11.7"}};
  const auto result = rows_without_samples(two_arms(), ended);
  EXPECT_EQ(result.runs[0].versions, "");
  EXPECT_EQ(result.runs[1].versions, "torch=2.11.0;python=3.11.7");
}

TEST(LaunchRows, SayUnderWhichProfilerTheLaunchRan) {
  LaunchOutcome ended{status::kOk, "", {}, "node1"};
  EXPECT_EQ(rows_without_samples(two_arms(), ended).runs[0].profiled, "");
  ended.facts = {{"profiled", "nsys"}};
  EXPECT_EQ(rows_without_samples(two_arms(), ended).runs[1].profiled, "nsys");
}

TEST(LaunchRows, FailsWhereSamplesMakeNoSense) {
  const test::ScriptFolder folder;
  auto spec = two_arms().spec;
  spec.part_dir = folder.path();
  std::ofstream(steps_part(spec.part_dir, 0)) << "L0009,0,no row of this launch\n";
  LaunchOutcome ended{status::kOk, "", {}, "node1"};
  const auto result = rows_of_launch(two_arms(), spec, arm_facts(test::test_vocabulary(), spec.arms), ended);
  EXPECT_EQ(ended.status, status::kFailed);
  EXPECT_EQ(result.runs.at(0).status, status::kFailed);
  EXPECT_THAT(result.runs[0].reason, HasSubstr("samples cannot be read"));
}

}  // namespace
}  // namespace ddpbench
