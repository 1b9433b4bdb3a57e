#include "suite/launch/processes/stop_signals.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "suite/launch/processes/signal_inbox.hpp"

namespace ddpbench {
namespace {

// What `work` does to a process of its own.
int status_of_child(const std::function<void()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return status;
}

struct EveryStopSignal : ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(All, EveryStopSignal, ::testing::ValuesIn(stop_signals().begin(), stop_signals().end()));

TEST_P(EveryStopSignal, EndsAtOnceWithAWordAndTheCodeOfAStoppedRun) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int status = status_of_child([&] {
    ::dup2(ends[1], STDERR_FILENO);
    const StopAtOnce stop;
    ::raise(GetParam());
  });
  ::close(ends[1]);
  std::string words(200, '\0');
  words.resize(static_cast<std::size_t>(::read(ends[0], words.data(), words.size())));
  ::close(ends[0]);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 75);
  EXPECT_THAT(words, ::testing::StartsWith("ddpbench: stopped by signal " + std::to_string(GetParam()) + " ("));
}

TEST_P(EveryStopSignal, IsTheInboxsWhileThereIsOne) {
  const int status = status_of_child([] {
    const StopAtOnce stop;
    SignalInbox inbox;
    ::raise(GetParam());
    inbox.receive();
    ::_exit(inbox.stop_signal());
  });
  EXPECT_EQ(status, GetParam() << 8);
}

TEST_P(EveryStopSignal, StaysIgnoredWhereTheCallerIgnoresIt) {
  const int status = status_of_child([] {
    ::signal(GetParam(), SIG_IGN);
    const StopAtOnce stop;
    ::raise(GetParam());
  });
  const bool is_meant_all_the_same = GetParam() == SIGINT || GetParam() == SIGTERM;
  EXPECT_EQ(WEXITSTATUS(status), is_meant_all_the_same ? 75 : 0);
}

TEST(StopAtOnce, LeavesSignalsAsTheyWere) {
  const int status = status_of_child([] {
    { const StopAtOnce stop; }
    ::raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
}  // namespace ddpbench
