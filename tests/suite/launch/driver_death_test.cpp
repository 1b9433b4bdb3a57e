#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <set>

#include "suite/launch/rank_processes.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

// What a driver does, in a process of its own; the ranks' pids come out of `report`.
[[noreturn]] void drive_two_ranks(const std::string& program, const UniqueFd& report) {
  SignalInbox inbox;
  const RankCommand command{{program}, {}};
  RankProcesses processes({command, command}, {},
                          {[&report](std::size_t, std::string_view line) {
                             const pid_t pid = std::stoi(std::string(line));
                             if (::write(report.get(), &pid, sizeof(pid)) < 0) ::_exit(2);
                           },
                           {}});
  processes.watch(inbox);
  ::_exit(1);
}

TEST(DriverDeath, LeavesNoRankBehind) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans become ours, so that their end can be waited for
  const test::ScriptFolder folder;
  const auto program = folder.script("worker", "echo $$\nexec sleep 1000");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  UniqueFd read_end(ends[0]), write_end(ends[1]);
  const pid_t driver = ::fork();
  if (driver == 0) drive_two_ranks(program, write_end);
  std::set<pid_t> ranks;
  for (pid_t pid = 0; ranks.size() < 2 && ::read(read_end.get(), &pid, sizeof(pid)) == sizeof(pid);) ranks.insert(pid);
  ASSERT_EQ(ranks.size(), 2U);

  ::kill(driver, SIGKILL);
  ASSERT_EQ(::waitpid(driver, nullptr, 0), driver);
  for (const auto rank : ranks) {
    int status = 0;
    ASSERT_EQ(::waitpid(rank, &status, 0), rank);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "sleep ended by itself";
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace
}  // namespace ddpbench
