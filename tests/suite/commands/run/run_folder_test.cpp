#include "suite/commands/run/run_folder.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "suite/base/errors.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::chrono::system_clock::time_point kStarted{};

// In a working folder of its own.
class RunFolder : public testing::Test {
 protected:
  void SetUp() override { fs::current_path(scratch_.path()); }
  void TearDown() override { fs::current_path(before_); }

  std::string complaint(const std::string& out) const {
    try {
      run_folder(out, "n", kStarted);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  ScratchFolder scratch_;
  fs::path before_ = fs::current_path();
};

TEST_F(RunFolder, TwoRunsOfOneSecondHaveFoldersOfTheirOwn) {
  const auto wanted = (fs::current_path() / "results/n-19700101T000000Z").string();
  EXPECT_EQ(run_folder("", "n", kStarted), wanted);
  EXPECT_EQ(run_folder("", "n", kStarted), wanted + "-2");
  EXPECT_EQ(run_folder("", "n", kStarted), wanted + "-3");
  EXPECT_TRUE(fs::is_empty(wanted + "-3"));
  EXPECT_FALSE(holds_something(wanted));
}

TEST_F(RunFolder, TheGivenOneIsMadeAbsoluteAndNotMade) {
  EXPECT_EQ(run_folder("a/../b", "n", kStarted), (fs::current_path() / "b").string());
  EXPECT_FALSE(fs::exists("b"));
  EXPECT_FALSE(holds_something("b"));
  fs::create_directories("b/c");
  EXPECT_TRUE(holds_something("b"));
}

TEST_F(RunFolder, WhatCanBeNoFolderIsRefusedInWords) {
  fs::create_symlink("loop", "loop");
  std::ofstream("file") << "x";
  ASSERT_EQ(::mkfifo("pipe", 0600), 0);
  EXPECT_THAT(complaint("loop"), HasSubstr("loop cannot be used: Too many levels of symbolic links"));
  EXPECT_THAT(complaint("/dev/null"), HasSubstr("/dev/null is not a folder"));
  EXPECT_THAT(complaint("file"), HasSubstr("is not a folder"));
  EXPECT_THAT(complaint("pipe"), HasSubstr("is not a folder"));
}

TEST_F(RunFolder, AWorkingFolderThatIsGoneIsTold) {
  fs::create_directory("gone");
  fs::current_path("gone");
  fs::remove(scratch_ / "gone");
  EXPECT_THAT(complaint(""), HasSubstr("the working folder cannot be used (No such file or directory): give an absolute --out"));
  EXPECT_EQ(complaint(scratch_ / "elsewhere"), "");
}

}  // namespace
}  // namespace ddpbench
