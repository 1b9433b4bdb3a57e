#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <set>

#include "suite/base/file_descriptor.hpp"
#include "suite/launch/processes/captured_run.hpp"
#include "tests/suite/launch/every_launcher.hpp"

namespace ddpbench {
namespace {

struct DriverDeath : test::EveryLauncher {
  // What a driver does, in a process of its own; the ranks' pids come out of `report`.
  [[noreturn]] void drive_two_ranks(const FileDescriptor& report) {
    on_line = [&report](const std::string& line) {
      const pid_t pid = std::stoi(line.substr(line.find("pid ") + 4));
      if (::write(report.number(), &pid, sizeof(pid)) < 0) ::_exit(2);
    };
    run(DDPBENCH_STAND_IN_RANK, 2);
    ::_exit(1);
  }
};
INSTANTIATE_TEST_SUITE_P(All, DriverDeath, test::all_launchers(), test::launcher_name);

TEST_P(DriverDeath, LeavesNoRankBehind) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become ours, so that their end can be waited for
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  FileDescriptor read_end(ends[0]), write_end(ends[1]);
  const pid_t driver = ::fork();
  if (driver == 0) drive_two_ranks(write_end);
  std::set<pid_t> ranks;
  for (pid_t pid = 0; ranks.size() < 2 && ::read(read_end.number(), &pid, sizeof(pid)) == sizeof(pid);) ranks.insert(pid);
  ASSERT_EQ(ranks.size(), 2U);

  ::kill(driver, SIGKILL);
  ASSERT_EQ(::waitpid(driver, nullptr, 0), driver);
  int status = 0;
  for (pid_t ended = 0; (ended = ::waitpid(-1, &status, 0)) > 0;) {
    const bool is_well = ranks.erase(ended) == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_TRUE(is_well) << "a rank ended by itself";
  }
  for (const auto rank : ranks) EXPECT_NE(::kill(rank, 0), 0) << "neither ours nor gone with its agent";
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

// A rank that comes to itself only after its driver has died finds nobody who would tell it.
TEST(DieWithDriver, EndsARankWhoseDriverIsGone) {
  test::ScopedVariable gone("DDPBENCH_DRIVER_PID", "999999999");
  const auto run = run_captured({{DDPBENCH_STAND_IN_RANK}, {}, {}, {}}, 60);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "");
}

}  // namespace
}  // namespace ddpbench
