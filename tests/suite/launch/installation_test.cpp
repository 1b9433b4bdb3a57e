#include "suite/launch/installation.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using test::ScopedVariable;
using ::testing::HasSubstr;

struct InstallationTest : ::testing::Test {
  test::ScriptFolder folder;
  ScopedVariable no_worker{"DDPBENCH_WORKER", std::nullopt};
  ScopedVariable no_python{"DDPBENCH_PYTHON", std::nullopt};

  Installation installation() const { return installation_at(folder.path() / "bin"); }
  void write_layout(const std::string& text) const {
    std::filesystem::create_directories(installation().share);
    std::ofstream(installation().share / "layout.json") << text;
  }
};

TEST_F(InstallationTest, FindsItsPartsBesideTheProgram) {
  EXPECT_EQ(installation().worker, folder.path() / "bin" / "ddpbench-worker");
  EXPECT_EQ(installation().vocabulary(), folder.path() / "share" / "ddpbench" / "vocabulary.json");
}

TEST_F(InstallationTest, TakesTheWorkerThatTheUserNames) {
  const ScopedVariable worker("DDPBENCH_WORKER", "/opt/other-worker");
  EXPECT_EQ(installation().worker, "/opt/other-worker");
}

TEST_F(InstallationTest, ReadsThePythonOfTheBuild) {
  write_layout(R"({"python": "/bin/sh"})");
  EXPECT_EQ(installation().python(), "/bin/sh");
}

TEST_F(InstallationTest, TakesThePythonThatTheUserNames) {
  write_layout(R"({"python": "/bin/sh"})");
  const ScopedVariable python("DDPBENCH_PYTHON", "/usr/bin/my-python");
  EXPECT_EQ(installation().python(), "/usr/bin/my-python");
}

TEST_F(InstallationTest, SaysHowToGetAPythonThatIsGone) {
  write_layout(R"({"python": "/nowhere/python"})");
  try {
    installation().python();
    FAIL() << "found one";
  } catch (const CannotRun& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/python is gone"));
    EXPECT_THAT(error.what(), HasSubstr("bootstrap.sh"));
  }
}

// A folder that may not be searched is told the same way; a test that runs as root may search them all.
TEST_F(InstallationTest, SaysWhyAPythonCannotBeLookedAt) {
  std::filesystem::create_symlink(folder.path() / "loop", folder.path() / "loop");
  write_layout(R"({"python": ")" + (folder.path() / "loop/python").string() + R"("})");
  try {
    installation().python();
    FAIL() << "found one";
  } catch (const CannotRun& error) {
    EXPECT_THAT(error.what(), HasSubstr("loop/python cannot be read: Too many levels of symbolic links"));
  }
}

TEST_F(InstallationTest, APythonWithoutAFolderIsNotSoughtInTheWorkingDirectory) {
  const ScopedVariable python("DDPBENCH_PYTHON", "python3");
  EXPECT_THROW(installation().python(), CannotRun);
}

TEST_F(InstallationTest, SaysThatTheBuildHadNoPython) {
  write_layout(R"({"python": ""})");
  EXPECT_THROW(installation().python(), CannotRun);
  write_layout(R"({"python": 3})");
  EXPECT_THROW(installation().python(), CannotRun);
  write_layout("not json");
  EXPECT_THROW(installation().python(), CannotRun);
}

}  // namespace
}  // namespace ddpbench
