#include "suite/launch/rank_processes.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>

#include "suite/base/errors.hpp"
#include "suite/contract/exit_code.hpp"
#include "suite/launch/core_binding.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

// Starts `ranks` copies of a script and keeps what is heard. `on_line` may act on it.
struct Launch {
  std::vector<std::string> lines;
  std::vector<RankProgress> progress;
  std::function<void(const std::string&)> on_line = [](const std::string&) {};
  SignalInbox inbox;

  LaunchEnd run(const std::string& program, std::size_t ranks, const Patience& patience = {},
                const std::vector<std::vector<int>>& cores = {}) {
    std::vector<RankCommand> commands;
    for (std::size_t rank = 0; rank < ranks; ++rank) commands.push_back({{program}, {{"RANK", std::to_string(rank)}}});
    RankProcesses processes(commands, cores,
                            {[this](std::size_t rank, std::string_view line) {
                               lines.push_back("[rank " + std::to_string(rank) + "] " + std::string(line));
                               on_line(lines.back());
                             },
                             [this](const RankProgress& heard) { progress.push_back(heard); }});
    return processes.watch(inbox, patience);
  }

  // Sends the driver a signal when every rank has said that it is ready.
  void signal_when_ready(int signal, std::size_t ranks) {
    on_line = [signal, left = ranks](const std::string& line) mutable {
      if (line.find("ready") != std::string::npos && --left == 0) ::kill(::getpid(), signal);
    };
  }
};

// Says that it is ready, and waits; on SIGTERM it leaves a file and the exit code of a rank that was stopped.
const std::string kObedient = "trap 'echo stopped > $0.$RANK; exit 75' TERM\necho ready\nwhile :; do sleep 1000 & wait; done\n";
const std::string kStubborn = "trap '' TERM\necho ready\nwhile :; do sleep 1000 & wait; done\n";

TEST(RankProcesses, PassesOnWhatRanksSay) {
  const test::ScriptFolder folder;
  Launch launch;
  const auto end = launch.run(folder.script("worker", "echo out; echo err >&2; printf unended"), 2);
  EXPECT_THAT(launch.lines, UnorderedElementsAre("[rank 0] out", "[rank 0] err", "[rank 0] unended", "[rank 1] out",
                                                 "[rank 1] err", "[rank 1] unended"));
  EXPECT_THAT(end.ranks[1].last_lines, ElementsAre("err"));
  EXPECT_EQ(end.first_failed, -1);
  EXPECT_EQ(why_broken(end), "");
}

TEST(RankProcesses, FeedsTheDisplayFromRankZero) {
  const test::ScriptFolder folder;
  Launch launch;
  launch.run(folder.script("worker", "echo @progress stage=measure super_blocks=$((RANK + 5))"), 2);
  ASSERT_EQ(launch.progress.size(), 1U);
  EXPECT_EQ(launch.progress[0].super_blocks, 5);
  EXPECT_THAT(launch.lines, ElementsAre("[rank 1] @progress stage=measure super_blocks=6"));
}

TEST(RankProcesses, GivesTheSocketOfTheStoreToRankZeroOnly) {
  const test::ScriptFolder folder;
  Launch launch;
  launch.run(
      folder.script("worker", "echo port $MASTER_PORT fd ${DDPBENCH_STORE_FD:-none}\nls -l /proc/$$/fd | grep -c socket || true"),
      2);
  EXPECT_THAT(launch.lines, Contains("[rank 0] 1"));
  EXPECT_THAT(launch.lines, Contains("[rank 1] 0"));
  EXPECT_THAT(launch.lines, Contains(HasSubstr("fd none")));
  EXPECT_THAT(launch.lines, Not(Contains(HasSubstr("port  fd"))));
}

TEST(RankProcesses, BindsRanksToTheirCores) {
  const test::ScriptFolder folder;
  const int core = allowed_cores().back();
  Launch launch;
  launch.run(folder.script("worker", "grep Cpus_allowed_list /proc/self/status"), 1, {}, {{core}});
  EXPECT_THAT(launch.lines, ElementsAre("[rank 0] Cpus_allowed_list:\t" + std::to_string(core)));
}

TEST(RankProcesses, EndsTheOthersWhenOneBreaks) {
  const test::ScriptFolder folder;
  Launch launch;
  const auto end =
      launch.run(folder.script("worker", "if [ $RANK = 1 ]; then echo 'out of luck' >&2; kill -9 $$; fi\nexec sleep 1000"), 3);
  EXPECT_EQ(end.first_failed, 1);
  EXPECT_EQ(end.ranks[0].signal, SIGTERM);
  EXPECT_EQ(end.ranks[2].signal, SIGTERM);
  EXPECT_EQ(why_broken(end), "rank 1 was killed by signal 9 (Killed); it last said: out of luck");
  EXPECT_FALSE(end.stopped_by_signal);
}

TEST(RankProcesses, NamesTheExitCodeOfASilentRank) {
  const test::ScriptFolder folder;
  Launch launch;
  EXPECT_EQ(why_broken(launch.run(folder.script("worker", "exit 7"), 1)), "rank 0 ended with exit code 7 and said nothing");
}

TEST(RankProcesses, KillsRanksThatOutliveABrokenOne) {
  const test::ScriptFolder folder;
  Launch launch;
  const auto body =
      "if [ $RANK = 0 ]; then until [ -e $0.deaf ]; do sleep 0.01; done; exit 1; fi\ntrap '' TERM; touch $0.deaf\n" + kStubborn;
  const auto end = launch.run(folder.script("worker", body), 2, {std::chrono::milliseconds(200), std::chrono::seconds(60)});
  EXPECT_EQ(end.ranks[1].signal, SIGKILL);
}

// A shell stands for a rank: its heartbeat never beats, which is no hang; that of a rank that beat and stopped is.
TEST(RankProcesses, GivesEachRankAHeartbeatOfItsOwn) {
  const test::ScriptFolder folder;
  Launch launch;
  launch.run(folder.script("worker", "stat -L -c %i /proc/self/fd/$DDPBENCH_HEARTBEAT_FD"), 2);
  ASSERT_EQ(launch.lines.size(), 2U);
  EXPECT_NE(launch.lines[0].substr(9), launch.lines[1].substr(9));
}

TEST(RankProcesses, EndsRanksThatStandStill) {
  const test::ScriptFolder folder;
  Launch launch;
  const auto beats = "printf '\\001' | dd of=/proc/self/fd/$DDPBENCH_HEARTBEAT_FD conv=notrunc status=none\n";
  const auto stops = "if [ $RANK = 1 ]; then kill -STOP $$; fi\nexec sleep 1000\n";
  const auto end = launch.run(folder.script("worker", beats + std::string(stops)), 2,
                              {std::chrono::milliseconds(200), std::chrono::hours(1), std::chrono::milliseconds(500)});
  ASSERT_TRUE(end.hang);
  EXPECT_EQ(end.first_failed, 1);
  EXPECT_EQ(end.ranks[1].signal, SIGKILL);
  EXPECT_THAT(why_broken(end), ::testing::StartsWith("rank 1 hangs: it is stopped in phase other after 0 super-blocks"));
}

class StopSignals : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, StopSignals, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_P(StopSignals, LetRanksFinish) {
  const test::ScriptFolder folder;
  Launch launch;
  launch.signal_when_ready(GetParam(), 2);
  const auto end = launch.run(folder.script("worker", kObedient), 2);
  EXPECT_TRUE(end.stopped_by_signal);
  EXPECT_EQ(end.stop_signal, GetParam());
  EXPECT_EQ(end.ranks[0].exit_code, 75);
  EXPECT_EQ(folder.read("worker.1"), "stopped\n");
}

TEST(RankProcesses, KillsWhatDoesNotStop) {
  const test::ScriptFolder folder;
  Launch launch;
  launch.signal_when_ready(SIGTERM, 1);
  const auto end = launch.run(folder.script("worker", kStubborn), 1, {std::chrono::seconds(60), std::chrono::milliseconds(200)});
  EXPECT_EQ(end.ranks[0].signal, SIGKILL);
}

TEST(RankProcesses, TakesABurstOfSignalsAsOne) {
  const test::ScriptFolder folder;
  Launch launch;
  launch.on_line = [](const std::string&) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::kill(::getpid(), signal);
  };
  EXPECT_EQ(launch.run(folder.script("worker", kObedient), 1).ranks[0].exit_code, 75);
}

TEST(RankProcesses, KillsAtOnceWhenAskedTwice) {
  const test::ScriptFolder folder;
  Launch launch;
  // The rank itself asks the second time, well after the burst of the first.
  const auto body = "trap 'sleep 1; kill -TERM $PPID' TERM\necho ready\nwhile :; do sleep 1000 & wait; done\n";
  launch.signal_when_ready(SIGTERM, 1);
  const auto end = launch.run(folder.script("worker", body), 1, {std::chrono::hours(1), std::chrono::hours(1)});
  EXPECT_EQ(end.ranks[0].signal, SIGKILL);
}

TEST(RankProcesses, LeavesNothingThatARankStarted) {
  const test::ScriptFolder folder;
  Launch launch;
  launch.run(folder.script("worker", "sleep 1000 >/dev/null 2>&1 &\necho $!"), 1);
  ASSERT_EQ(launch.lines.size(), 1U);
  const auto state = "/proc/" + launch.lines[0].substr(std::string("[rank 0] ").size()) + "/stat";
  std::string stat;
  // Killed, but perhaps not reaped yet by whoever inherits it.
  do std::getline(std::ifstream(state), stat);
  while (std::filesystem::exists(state) && stat.find(") Z") == std::string::npos);
  SUCCEED();
}

TEST(RankProcesses, EndsTheStartedOnesWhenOneCannotStart) {
  const test::ScriptFolder folder;
  const RankCommand good{{folder.script("worker", "exec sleep 1000")}, {}}, bad{{"/nowhere/worker"}, {}};
  EXPECT_THROW(RankProcesses({good, bad}, {}, {}), CannotRun);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

}  // namespace
}  // namespace ddpbench
