#include "suite/launch/processes/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsInTmpdirAndGoesWithItsObject) {
  const test::ScriptFolder temporary;
  const test::ScopedVariable variable("TMPDIR", temporary.path().string());
  std::optional<TemporaryFolder> folder(std::in_place, "ddpbench-test");
  EXPECT_EQ(fs::path(folder->path()).parent_path(), temporary.path());
  std::ofstream(folder->path() + "/file") << "x";
  folder.reset();
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

TEST(TemporaryFolder, GoesWhereItsProcessIsKilled) {
  const test::ScriptFolder temporary;
  const test::ScopedVariable variable("TMPDIR", temporary.path().string());
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // the remover comes to this test
  const auto child = ::fork();
  if (child == 0) {
    const TemporaryFolder folder("ddpbench-test");
    std::ofstream(folder.path() + "/file") << "x";
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  do ASSERT_GT(::waitpid(-1, nullptr, 0), 0);
  while (!fs::is_empty(temporary.path()));
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

}  // namespace
}  // namespace ddpbench
