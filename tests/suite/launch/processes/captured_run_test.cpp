#include "suite/launch/processes/captured_run.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <string>

#include "suite/base/errors.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;

constexpr double kLongEnough = 60;

TEST(CapturedRun, KeepsBothStreamsAndTheExitCode) {
  const auto run =
      run_captured({{"/bin/sh", "-c", "echo out; echo $GREETING >&2; exit 3"}, {{"GREETING", "hello"}}, {}, {}}, kLongEnough);
  EXPECT_EQ(run.out, "out\n");
  EXPECT_EQ(run.err, "hello\n");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.signal, 0);
}

TEST(CapturedRun, TakesMoreThanAPipeHolds) {
  const auto run = run_captured({{"/bin/sh", "-c", "head -c 300000 /dev/zero"}, {}, {}, {}}, kLongEnough);
  EXPECT_EQ(run.out.size(), 300000U);
}

TEST(CapturedRun, EndsWhatTakesTooLong) {
  const auto run = run_captured({{"/bin/sh", "-c", "echo begun; sleep 1000; echo done"}, {}, {}, {}}, 0.5);
  EXPECT_EQ(run.signal, SIGKILL);
  EXPECT_EQ(run.out.find("done"), std::string::npos);
}

TEST(CapturedRun, EndsWhatTalksWithoutEnd) {
  const auto run = run_captured({{"/bin/sh", "-c", "exec yes"}, {}, {}, {}}, 0.3);
  EXPECT_EQ(run.signal, SIGKILL);
}

// Not when the last of those that it left behind has closed its output.
TEST(CapturedRun, IsOverWhenTheProgramHasEnded) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // what it leaves behind comes to this test
  const auto run = run_captured({{"/bin/sh", "-c", "sleep 1000 & echo $!"}, {}, {}, {}}, kLongEnough);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.timed_out_s, 0);
  const auto left = std::stoi(run.out);
  int status = 0;
  ASSERT_EQ(::waitpid(left, &status, 0), left);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(CapturedRun, NamesAProgramThatIsNotThere) {
  try {
    run_captured({{"/nowhere/worker"}, {}, {}, {}}, kLongEnough);
    FAIL() << "started";
  } catch (const CannotRun& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/worker: No such file"));
  }
}

}  // namespace
}  // namespace ddpbench
