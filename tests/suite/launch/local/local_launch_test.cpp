// What only the launcher of this machine does itself.
#include "suite/launch/local/local_launch.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "suite/base/allowed_cores.hpp"
#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/launch/drive_launch.hpp"
#include "suite/launch/local/core_binding.hpp"
#include "suite/launch/local/local_launcher.hpp"
#include "suite/launch/processes/stop_signals.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;

struct LocalLaunchTest : ::testing::Test {
  test::ScriptFolder folder;
  std::vector<std::string> lines;
  std::function<void(const std::string&)> on_line = [](const std::string&) {};

  LaunchEnd run(const std::string& body, std::int64_t ranks) {
    LaunchSpec spec;
    spec.ranks_per_node = ranks;
    const auto say = [this](std::string_view source, std::string_view line) {
      lines.push_back("[" + std::string(source) + "] " + std::string(line));
      on_line(lines.back());
    };
    SignalInbox inbox;
    return drive_to_end(*start_local(spec, {{folder.script("worker", body)}, {}, {}}, {{say, {}}, {}}), inbox);
  }
};

TEST_F(LocalLaunchTest, PassesOnALineWithoutItsEnd) {
  run("printf unended", 2);
  EXPECT_THAT(lines, ::testing::UnorderedElementsAre("[rank 0] unended", "[rank 1] unended"));
}

TEST_F(LocalLaunchTest, EndsWhatARankHasForkedAway) {
  const auto note = folder.path().string() + "/daemon";
  run("setsid sh -c 'echo $$ > " + note + ".new && mv " + note + ".new " + note + "; exec sleep 1000' &\n" + "while [ ! -e " +
          note + " ]; do sleep 0.01; done\necho done",
      1);
  EXPECT_THAT(lines, ::testing::ElementsAre("[rank 0] done"));
  EXPECT_EQ(::kill(std::stoi(read_file(note)), 0), -1) << "a daemon is left";
}

TEST_F(LocalLaunchTest, GivesEveryLaunchAnotherSecret) {
  run("echo $DDPBENCH_STORE", 1);
  run("echo $DDPBENCH_STORE", 1);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0], lines[1]);
}

// A variable of the user's of that name would end every rank at once.
TEST_F(LocalLaunchTest, TellsItsRanksWhichDriverTheyBelongTo) {
  const test::ScopedVariable planted("DDPBENCH_DRIVER_PID", "-1");
  run("echo $DDPBENCH_DRIVER_PID", 1);
  EXPECT_THAT(lines, ::testing::ElementsAre("[rank 0] " + std::to_string(::getpid())));
}

// Whoever opens a program that another holds a lease on waits until it is given up: such a rank is a process, and not yet a rank.
TEST_F(LocalLaunchTest, NamesARankThatDoesNotComeToItsProgram) {
  const auto program = folder.script("worker", "echo begun");
  const FileDescriptor lease(::open(program.c_str(), O_RDONLY | O_CLOEXEC));
  const auto before = ::signal(SIGIO, SIG_IGN);  // tells the holder that somebody waits
  if (::fcntl(lease.number(), F_SETLEASE, F_WRLCK) != 0) GTEST_SKIP() << "this file system has no leases";
  LaunchSpec spec;
  spec.protocol.hang_timeout_seconds = 0.2;
  try {
    start_local(spec, {{program}, {}, {}}, {});
    FAIL() << "started";
  } catch (const CannotRun& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("rank 0 hangs before its first step: "));
    EXPECT_THAT(error.what(), HasSubstr("did not begin within 0.2 s"));
  }
  ::signal(SIGIO, before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST_F(LocalLaunchTest, BindsRanksToTheirCores) {
  const auto layout = node_layout(allowed_cores());
  run("grep Cpus_allowed_list /proc/self/status", 1);
  const auto shares = share_layout(layout, 1);
  if (shares.empty()) GTEST_SKIP() << "a single core";
  const auto words = describe_binding(layout, 1);
  EXPECT_THAT(lines, ::testing::ElementsAre("[rank 0] Cpus_allowed_list: " + list_of_numbers(numbers_of(shares.front()))));
  EXPECT_THAT(words, ::testing::StartsWith("rank 0: " + list_of_numbers(numbers_of(shares.front()))));
}

struct StopSignals : LocalLaunchTest, ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(All, StopSignals, ::testing::ValuesIn(stop_signals().begin(), stop_signals().end()));

const std::string kObedient = "trap 'exit 75' TERM\necho ready\nwhile :; do sleep 1000 & wait; done\n";

TEST_P(StopSignals, LetRanksFinish) {
  on_line = [](const std::string&) { ::kill(::getpid(), GetParam()); };
  const auto end = run(kObedient, 1);
  EXPECT_TRUE(end.stopped_by_signal);
  EXPECT_EQ(end.stop_signal, GetParam());
  EXPECT_EQ(end.ranks.at(0)->exit_code, 75);
}

TEST_F(LocalLaunchTest, TakesABurstOfSignalsAsOne) {
  on_line = [](const std::string&) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::kill(::getpid(), signal);
  };
  EXPECT_EQ(run(kObedient, 1).ranks.at(0)->exit_code, 75);
}

TEST_F(LocalLaunchTest, LeavesNobodyWhenItCannotStart) {
  LaunchSpec spec;
  EXPECT_THROW(start_local(spec, {{"/nowhere/worker"}, {}, {}}, {}), CannotRun);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

}  // namespace
}  // namespace ddpbench
