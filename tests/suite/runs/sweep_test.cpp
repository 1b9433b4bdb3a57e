#include "suite/runs/sweep.hpp"

#include <gmock/gmock.h>
#include <signal.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "suite/contract/status.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/launchers/srun_launcher.hpp"
#include "tests/support/script_folder.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Shell text that leaves an outcome in the launch's part folder, as a worker does.
const std::string kReadArguments =
    "while [ $# -gt 1 ]; do case $1 in --part-dir) part=$2;; --launch-id) id=$2;; --purpose) purpose=$2;; esac; shift 2; done\n"
    "leave() { echo \"{\\\"status\\\": \\\"$1\\\", \\\"reason\\\": \\\"$2\\\", \\\"arms\\\": {}, \\\"host\\\": \\\"h\\\"}\" "
    "> $part/outcome.$RANK.json; }\n";

struct SweepTest : ::testing::Test {
  test::ScriptFolder folder;
  std::ostringstream shown;
  Plan plan;
  std::map<std::string, DataFolder> data;

  void SetUp() override {
    plan.arms = arm_facts(test::test_vocabulary(), std::vector<std::string>{"raw"});
    for (const auto* id : {"L0001", "L0002"}) add_launch(id, "");
  }
  void add_launch(const std::string& id, const std::string& skip_reason) {
    PlannedLaunch launch;
    launch.spec.launch_id = id;
    launch.spec.cell_id = "c1";
    launch.spec.workload = "null";
    launch.spec.arms = {"raw"};
    launch.spec.ranks_per_node = 2;
    launch.skip_reason = skip_reason;
    plan.launches.push_back(launch);
  }
  ResultsFolder fresh_folder() const {
    std::vector<PlanRow> rows;
    for (const auto& launch : plan.launches) rows.push_back(to_row(launch, ""));
    return ResultsFolder::create(folder.path() / "results", "name = \"x\"\n", rows, {{"hostname", "h"}});
  }
  Launcher local = find_entry(launchers(), "launcher", "local");
  SweepCounts sweep(ResultsFolder& results, const std::string& worker) {
    const Installation installation{folder.script("worker", kReadArguments + worker), folder.path()};
    ProgressDisplay display(shown, {});
    SignalInbox inbox;
    return Sweep({plan, installation, local, data, {}}, results, display).run(inbox);
  }
};

TEST_F(SweepTest, CommitsEveryLaunch) {
  auto results = fresh_folder();
  const auto counts = sweep(results, "leave ok");
  EXPECT_EQ(counts.ok, 2);
  ASSERT_EQ(results.runs().size(), 2U);
  EXPECT_EQ(results.runs()[0].status, status::kOk);
  EXPECT_EQ(results.runs()[0].host_list, "h");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "results" / "parts"));
}

TEST_F(SweepTest, GoesOnAfterAFailure) {
  auto results = fresh_folder();
  const auto counts = sweep(results, "if [ $id$RANK = L00011 ]; then echo 'bad luck' >&2; exit 1; fi; leave ok");
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(counts.ok, 1);
  EXPECT_EQ(results.runs().at(0).status, status::kFailed);
  EXPECT_THAT(results.runs().at(0).reason, HasSubstr("rank 1 ended with exit code 1; it last said: bad luck"));
  EXPECT_THAT(shown.str(), HasSubstr("[rank 1] bad luck"));
}

TEST_F(SweepTest, CountsAnArmAloneThatFailedAndKeepsTheLaunch) {
  plan.launches[0].extra = {plan.launches[0].spec};
  plan.launches[0].extra[0].purpose = purpose::kMemory;
  auto results = fresh_folder();
  const auto counts = sweep(results, "if [ -n \"$purpose\" ]; then echo 'bad luck' >&2; exit 1; fi; leave ok");
  EXPECT_EQ(counts.ok, 2);
  EXPECT_EQ(counts.failed, 1);
  EXPECT_EQ(results.runs().at(0).status, status::kOk);
  EXPECT_THAT(shown.str(), HasSubstr("memory of raw: not measured: failed: rank 0 ended with exit code 1"));
}

TEST_F(SweepTest, StopsAtASignalAndKeepsWhatIsThere) {
  auto results = fresh_folder();
  const auto counts =
      sweep(results, "trap 'leave partial; exit 75' TERM; [ $RANK = 0 ] || kill -INT $PPID\nwhile :; do sleep 100 & wait; done");
  EXPECT_TRUE(counts.stopped);
  EXPECT_EQ(counts.partial, 1);
  ASSERT_EQ(results.runs().size(), 1U);
  EXPECT_EQ(results.runs()[0].status, status::kPartial);
}

TEST_F(SweepTest, StopsWhereTheLauncherSaysThatTheJobIsOver) {
  local.says_job_is_over = srun_says_job_is_over;
  auto results = fresh_folder();
  const auto counts =
      sweep(results, "echo 'Unable to create step for job 11: Job/step already completing or completed' >&2; exit 1");
  EXPECT_TRUE(counts.stopped);
  EXPECT_EQ(counts.partial, 1);
  ASSERT_EQ(results.runs().size(), 1U) << "the second launch was begun";
  EXPECT_THAT(results.runs()[0].reason, StartsWith("the job is over: "));
}

TEST_F(SweepTest, ResumesWithTheLaunchesThatAreNotFinished) {
  auto results = fresh_folder();
  sweep(results, "[ $id = L0001 ] || exit 1; leave ok");
  const auto counts = sweep(results, "[ $id = L0001 ] && exit 1; leave ok");
  EXPECT_EQ(counts.ok, 2);
  EXPECT_EQ(counts.failed, 0);
}

TEST_F(SweepTest, CountsWrongResults) {
  auto results = fresh_folder();
  EXPECT_EQ(sweep(results, "leave wrong_result 'losses differ'; exit 1").wrong, 2);
}

TEST_F(SweepTest, StoresSkipsWithTheirReason) {
  add_launch("L0003", "backend 'nccl' is not available here: no GPU");
  auto results = fresh_folder();
  commit_skips(results, plan);
  EXPECT_EQ(sweep(results, "leave ok").skipped, 1);
  ASSERT_EQ(results.runs().size(), 3U);
  EXPECT_EQ(results.runs()[0].status, status::kSkipped);
}

TEST_F(SweepTest, EndsWhereTheWorkerCannotBeLoaded) {
  auto results = fresh_folder();
  try {
    sweep(results, "echo 'libtorch.so: cannot open shared object file' >&2; exit 127");
    FAIL() << "it went on";
  } catch (const CannotRun& error) {
    EXPECT_THAT(error.what(), HasSubstr("libtorch.so"));
    EXPECT_THAT(error.what(), HasSubstr("bootstrap.sh"));
  }
}

TEST_F(SweepTest, EndsWhereResultsCannotBeStored) {
  auto results = fresh_folder();
  std::filesystem::remove_all(folder.path() / "results");
  std::ofstream(folder.path() / "results") << "in the way";
  const auto counts = sweep(results, "leave ok");
  EXPECT_NE(counts.lost, "");
  EXPECT_EQ(counts.ok, 0);
}

TEST_F(SweepTest, TellsOnlyTheFirstLaunchWhenTheCommandBegan) {
  auto results = fresh_folder();
  sweep(results, "echo $id began ${DDPBENCH_STARTED_UNIX_NS:-unknown}; leave ok");
  EXPECT_THAT(shown.str(), HasSubstr("[rank 1] L0001 began 0"));
  EXPECT_THAT(shown.str(), HasSubstr("[rank 1] L0002 began unknown"));
}

TEST_F(SweepTest, TellsEveryLaunchWhenItBegan) {
  auto results = fresh_folder();
  sweep(results, "test ${DDPBENCH_LAUNCHED_UNIX_NS:-0} -gt 1000000000000000000 && echo $id began; leave ok");
  EXPECT_THAT(shown.str(), AllOf(HasSubstr("[rank 1] L0001 began"), HasSubstr("[rank 1] L0002 began")));
}

}  // namespace
}  // namespace ddpbench
