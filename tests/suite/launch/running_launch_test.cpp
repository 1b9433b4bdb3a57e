// What a launch does and suffers, whatever started it.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/contract/processes/store_address.hpp"
#include "tests/suite/launch/every_launcher.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

struct RunningLaunchTest : test::EveryLauncher {
  // Sends the driver a signal when every rank has said that it is ready.
  void signal_when_ready(int signal, int ranks) {
    on_line = [signal, left = ranks](const std::string& line) mutable {
      if (line.find("ready") != std::string::npos && --left == 0) ::kill(::getpid(), signal);
    };
  }

  // Killed, but perhaps not reaped yet by whoever inherits it.
  static void wait_for_end(const std::string& pid) {
    std::string stat;
    do std::getline(std::ifstream("/proc/" + pid + "/stat"), stat);
    while (std::filesystem::exists("/proc/" + pid) && stat.find(") Z") == std::string::npos);
  }
};
INSTANTIATE_TEST_SUITE_P(All, RunningLaunchTest, test::all_launchers(), test::launcher_name);

// Says that it is ready, and waits; on SIGTERM it leaves a file and the exit code of a rank that was stopped.
const std::string kObedient = "trap 'echo stopped > $0.$RANK; exit 75' TERM\necho ready\nwhile :; do sleep 1000 & wait; done\n";
const std::string kStubborn = "trap '' TERM\necho $$ > $0.pid; echo ready\nwhile :; do sleep 1000 & wait; done\n";

TEST_P(RunningLaunchTest, PassesOnWhatRanksSay) {
  const auto end = run(folder.script("worker", "echo out; echo err >&2"), 2);
  EXPECT_THAT(lines, UnorderedElementsAre("[rank 0] out", "[rank 0] err", "[rank 1] out", "[rank 1] err"));
  ASSERT_TRUE(end.ranks.at(1));
  EXPECT_THAT(end.ranks[1]->last_lines.all(), ElementsAre("err"));
  EXPECT_EQ(end.first_failed, -1);
  EXPECT_EQ(end.launcher_failure, "");
  EXPECT_EQ(why_broken(end), "");
}

TEST_P(RunningLaunchTest, FeedsTheDisplayFromRankZero) {
  run(folder.script("worker", "echo @progress stage=measure super_blocks=$((RANK + 5))"), 2);
  ASSERT_EQ(progress.size(), 1U);
  EXPECT_EQ(progress[0].super_blocks, 5);
  EXPECT_THAT(lines, ElementsAre("[rank 1] @progress stage=measure super_blocks=6"));
}

TEST_P(RunningLaunchTest, SaysEveryRankWhoItIs) {
  spec.protocol.threads_per_rank = 3;
  environment["NOTE"] = "told";
  run(folder.script("worker", "echo $RANK $LOCAL_RANK of $WORLD_SIZE $LOCAL_WORLD_SIZE, threads $OMP_NUM_THREADS, $NOTE $1 $2"),
      2);
  EXPECT_THAT(lines, UnorderedElementsAre("[rank 0] 0 0 of 2 2, threads 3, told --launch-id L0001",
                                          "[rank 1] 1 1 of 2 2, threads 3, told --launch-id L0001"));
}

TEST_P(RunningLaunchTest, EndsTheOthersWhenOneBreaks) {
  const auto end =
      run(folder.script("worker", "if [ $RANK = 1 ]; then echo 'out of luck' >&2; kill -9 $$; fi\nexec sleep 1000"), 3);
  EXPECT_EQ(end.first_failed, 1);
  ASSERT_TRUE(end.ranks.at(0) && end.ranks.at(2));
  EXPECT_EQ(end.ranks[0]->signal, SIGTERM);
  EXPECT_EQ(end.ranks[2]->signal, SIGTERM);
  EXPECT_EQ(why_broken(end), "rank 1 was killed by signal 9 (Killed); it last said: out of luck");
  EXPECT_FALSE(end.stopped_by_signal);
}

// On a busy host the end of a rank that was killed may be told after the ends of those that gave up because of it. (torchrun has its own
// way of telling.)
TEST_P(RunningLaunchTest, NamesTheRankThatWasKilledThoughItsEndIsToldLast) {
  if (GetParam().name == "torchrun") GTEST_SKIP() << "torchrun ends the others itself, and tells who it was";
  environment = {{"DYING_RANK", "1"}, {"WITNESS_RANK", "0"}, {"MEETING", folder.path() / "meeting"}};
  const auto end = run(DDPBENCH_STAND_IN_RANK, 2, {std::chrono::hours(1), std::chrono::hours(1)});
  ASSERT_TRUE(end.ranks.at(0) && end.ranks.at(1));
  EXPECT_EQ(end.ranks[0]->exit_code, 1);
  EXPECT_EQ(why_broken(end), "rank 1 was killed by signal 9 (Killed) and said nothing");
}

// Not the others, and not the driver. (torchrun is killed while it still hands on what the rank said.)
TEST_P(RunningLaunchTest, ARankThatTalksWithoutEndKeepsNobodyFromEnding) {
  const auto end = run(folder.script("worker", "if [ $RANK = 1 ]; then sleep 0.3; exit 7; fi\nexec yes"), 2);
  const auto told = why_broken(end) + end.launcher_failure;
  EXPECT_THAT(told, ::testing::AnyOf("rank 1 ended with exit code 7 and said nothing", HasSubstr("a rank failed, and torchrun")))
      << told;
}

TEST_P(RunningLaunchTest, NamesTheExitCodeOfASilentRank) {
  EXPECT_EQ(why_broken(run(folder.script("worker", "exit 7"), 1)), "rank 0 ended with exit code 7 and said nothing");
}

// Of ranks; a launcher may take as long as it likes to tell of them.
const TerminationTimeouts kShort{std::chrono::milliseconds(200), std::chrono::hours(1), std::chrono::hours(1)};

TEST_P(RunningLaunchTest, KillsStragglersAfterAFailure) {
  const auto body = "if [ $RANK = 0 ]; then until [ -e $0.pid ]; do sleep 0.01; done; exit 1; fi\n" + kStubborn;
  const auto end = run(folder.script("worker", body), 2, kShort);
  wait_for_end(std::to_string(std::stoi(folder.read("worker.pid"))));
  EXPECT_EQ(why_broken(end), "rank 0 ended with exit code 1 and said nothing") << "the one that was killed is no cause";
}

// torchrun tells how a rank ended when the last of the others has.
TEST_P(RunningLaunchTest, SaysHowARankEndedThoughAnotherDoesNotEnd) {
  const auto body = "if [ $RANK = 0 ]; then until [ -e $0.pid ]; do sleep 0.01; done; kill -9 $$; fi\n" + kStubborn;
  const auto end = run(folder.script("worker", body), 2, kShort);
  EXPECT_EQ(why_broken(end), "rank 0 was killed by signal 9 (Killed) and said nothing");
}

// For as long a launch also waits for its ranks to come: a launcher (mpirun) takes more than half a second for that on a busy host.
constexpr double kLongerThanAStart = 4;

TEST_P(RunningLaunchTest, EndsRanksThatStandStill) {
  environment["STOPPED_RANK"] = "1";
  spec.protocol.hang_timeout_seconds = kLongerThanAStart;
  const auto end = run(DDPBENCH_STAND_IN_RANK, 2, {std::chrono::milliseconds(200), std::chrono::hours(1)});
  ASSERT_TRUE(end.hang);
  EXPECT_EQ(end.first_failed, 1);
  EXPECT_THAT(why_broken(end),
              StartsWith("rank 1 hangs: its process is suspended (SIGSTOP) in phase forward after 3 super-blocks"));
}

// Rank 1 waits, as it would for its peer at the rendezvous.
TEST_P(RunningLaunchTest, EndsALaunchOfWhichARankStallsBeforeItsFirstWord) {
  environment["STALLED_RANK"] = "0";
  spec.protocol.hang_timeout_seconds = kLongerThanAStart;
  const auto end = run(DDPBENCH_STAND_IN_RANK, 2, {std::chrono::milliseconds(200), std::chrono::hours(1)});
  ASSERT_TRUE(end.hang);
  EXPECT_EQ(end.first_failed, 0);
  EXPECT_THAT(why_broken(end), StartsWith("rank 0 hangs: its process is suspended (SIGSTOP) loading, before its first step"));
}

TEST_P(RunningLaunchTest, EndsALaunchWhoseRanksAllStallBeforeTheirFirstWord) {
  environment["STALLED_RANK"] = "all";
  spec.protocol.hang_timeout_seconds = kLongerThanAStart;
  const auto end = run(DDPBENCH_STAND_IN_RANK, 2, {std::chrono::milliseconds(200), std::chrono::hours(1)});
  ASSERT_TRUE(end.hang);
  // The one that was first seen to stand still for so long: all are suspended, and looks at them are a moment apart.
  EXPECT_THAT(end.first_failed, testing::AnyOf(0, 1));
  EXPECT_THAT(why_broken(end),
              testing::MatchesRegex("rank " + std::to_string(end.first_failed) + " .*SIGSTOP.*before its first step.*"));
}

// Whole lines: torchrun hands on the beginning of a line before its end, and another rank's may come between the two.
TEST_P(RunningLaunchTest, HandsItsRanksOneSecretThatNoCommandLineShows) {
  run(folder.script("worker", "echo \"$DDPBENCH_STORE\"; echo \"$(tr '\\0' ' ' < /proc/$$/cmdline)\""), 2);
  std::set<std::string> secrets, others;
  for (const auto& line : lines) {
    const auto said = line.substr(line.find("] ") + 2);
    (store_address_from(said) && said.find(' ') == std::string::npos ? secrets : others).insert(said);
  }
  ASSERT_EQ(secrets.size(), 1U) << "not the same for both";
  const auto secret = store_address_from(*secrets.begin())->secret;
  EXPECT_EQ(secret.size(), 32U);
  for (const auto& command_line : others) EXPECT_EQ(command_line.find(secret), std::string::npos);
}

TEST_P(RunningLaunchTest, ShowsNothingThatSteersATerminal) {
  run(folder.script("worker", "printf 'a\\033]0;owned\\007b\\tc\\n'"), 1);
  EXPECT_THAT(lines, ElementsAre("[rank 0] a?]0;owned?b c"));
}

TEST_P(RunningLaunchTest, LetsRanksFinishWhenItIsStopped) {
  signal_when_ready(SIGTERM, 2);
  const auto end = run(folder.script("worker", kObedient), 2);
  EXPECT_TRUE(end.stopped_by_signal);
  EXPECT_EQ(end.stop_signal, SIGTERM);
  EXPECT_EQ(folder.read("worker.0") + folder.read("worker.1"), "stopped\nstopped\n");
}

TEST_P(RunningLaunchTest, KillsWhatDoesNotStop) {
  signal_when_ready(SIGTERM, 1);
  const auto end = run(folder.script("worker", kStubborn), 1, {std::chrono::hours(1), std::chrono::milliseconds(200)});
  wait_for_end(std::to_string(std::stoi(folder.read("worker.pid"))));
  EXPECT_TRUE(end.stopped_by_signal);
}

TEST_P(RunningLaunchTest, KillsAtOnceWhenAskedTwice) {
  // The rank itself asks the second time, well after the burst of the first.
  environment["DRIVER"] = std::to_string(::getpid());
  const auto body =
      "trap 'sleep 1; kill -TERM $DRIVER' TERM\necho $$ > $0.pid; echo ready\nwhile :; do sleep 1000 & wait; done\n";
  signal_when_ready(SIGTERM, 1);
  run(folder.script("worker", body), 1, {std::chrono::hours(1), std::chrono::hours(1)});
  wait_for_end(std::to_string(std::stoi(folder.read("worker.pid"))));
}

TEST_P(RunningLaunchTest, LeavesNothingThatARankStarted) {
  run(folder.script("worker", "sleep 1000 >/dev/null 2>&1 &\necho $!"), 1);
  ASSERT_EQ(lines.size(), 1U);
  wait_for_end(lines[0].substr(std::string("[rank 0] ").size()));
}

TEST_P(RunningLaunchTest, LeavesNothingWhenItIsGivenUp) {
  const auto program = folder.script("worker", kStubborn);
  {
    SignalInbox inbox;
    const auto launch = start(program, 1);
    while (lines.empty() && !launch->poll()) ::usleep(1000);
  }
  wait_for_end(std::to_string(std::stoi(folder.read("worker.pid"))));
}

TEST_P(RunningLaunchTest, SaysThatTheProgramCannotBeLoaded) {
  try {
    run(folder.script("worker", "echo 'libtorch.so: cannot open shared object file' >&2; exit 127"), 2);
    FAIL() << "no error";
  } catch (const CannotRun& error) {
    EXPECT_THAT(error.what(), HasSubstr("libtorch.so"));
    EXPECT_THAT(error.what(), HasSubstr("bootstrap.sh"));
  }
}

TEST_P(RunningLaunchTest, SaysThatTheProgramIsNotThere) {
  std::string reason;
  try {
    reason = run("/nowhere/worker", 2).launcher_failure;
  } catch (const CannotRun& error) {
    reason = error.what();
  }
  EXPECT_THAT(reason, HasSubstr("No such file or directory"));
  EXPECT_THAT(reason, HasSubstr("/nowhere/worker"));
}

}  // namespace
}  // namespace ddpbench
