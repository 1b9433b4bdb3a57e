#include "suite/base/durable_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>

#include "suite/base/errors.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string error_of(const std::string& path) {
  try {
    write_named_file(path, "text");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(DurableFile, AFullDiskIsCalledThat) {
  try {
    write_all(open_file("/dev/full", 1 /* O_WRONLY */), "x", "/dev/full");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "disk full: cannot write /dev/full: No space left on device");
  }
}

TEST(DurableFile, AFailedReplaceLeavesTheOldFileAndNoDraft) {
  const ScratchFolder scratch;
  fs::create_directory(scratch / "folder");
  replace_file(scratch / "file", "old");
  EXPECT_THROW(replace_file(scratch / "folder", "text"), Error);  // a file cannot take a folder's place
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()), 2);
  replace_file(scratch / "file", "new");
  EXPECT_EQ(read_file(scratch / "file"), "new");
}

TEST(DurableFile, OldDraftsAreRemovedAndNothingElse) {
  const ScratchFolder scratch;
  for (const auto* name : {"a.csv.1-0.new", "b.csv.2-0.new", "a.csv"}) replace_file(scratch / name, "x");
  fs::last_write_time(scratch / "a.csv.1-0.new", fs::file_time_type::clock::now() - std::chrono::minutes(2));
  remove_drafts(scratch.path(), std::chrono::minutes(1));
  EXPECT_FALSE(fs::exists(scratch / "a.csv.1-0.new"));
  EXPECT_TRUE(fs::exists(scratch / "b.csv.2-0.new") && fs::exists(scratch / "a.csv"));
  remove_drafts(scratch.path());
  EXPECT_FALSE(fs::exists(scratch / "b.csv.2-0.new"));
  remove_drafts(scratch / "nowhere");
}

TEST(DurableFile, WhatIsNoDraftStays) {
  const ScratchFolder scratch;
  for (const auto* name : {"nginx.conf.new", "a.csv.1-0.new.bak", ".1-0.new"}) replace_file(scratch / name, "x");
  fs::create_directory(scratch / "folder.1-0.new");
  fs::create_symlink("loop.1-0.new", scratch / "loop.1-0.new");
  remove_drafts(scratch.path());
  EXPECT_FALSE(fs::is_symlink(scratch / "loop.1-0.new"));
  EXPECT_TRUE(fs::exists(scratch / "nginx.conf.new") && fs::exists(scratch / "a.csv.1-0.new.bak"));
  EXPECT_TRUE(fs::exists(scratch / ".1-0.new") && fs::is_directory(scratch / "folder.1-0.new"));
}

TEST(DurableFile, ADraftTakesNoDevicesPlace) {
  const ScratchFolder scratch;
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(replace_file(scratch / "pipe", "text"), Error);
  EXPECT_TRUE(fs::is_fifo(scratch / "pipe"));
  if (::mknod((scratch / "node").c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) return;  // only root can
  EXPECT_THROW(replace_file(scratch / "node", "text"), Error);
  EXPECT_TRUE(fs::is_character_file(scratch / "node"));
  fs::remove(scratch / "node");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()), 1) << "a draft is left";
}

// /dev/full's numbers: what is written there fails as it does on a full disk.
TEST(NamedFile, ADeviceIsWrittenIntoAndStays) {
  const ScratchFolder scratch;
  if (::mknod((scratch / "full").c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0)
    GTEST_SKIP() << "makes a device node: only root can";
  fs::create_symlink("full", scratch / "link");
  for (const auto* name : {"full", "link"}) {
    const auto error = error_of(scratch / name);
    if (error.ends_with("Permission denied")) GTEST_SKIP() << "the temporary folder's file system opens no device";
    EXPECT_THAT(error, HasSubstr("No space left on device")) << name;
  }
  EXPECT_TRUE(fs::is_character_file(scratch / "full") && fs::is_symlink(scratch / "link"));
  EXPECT_EQ(error_of("/dev/null"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(NamedFile, APipeIsWrittenIntoAndNobodyWaitsForAReader) {
  const ScratchFolder scratch;
  const auto pipe = scratch / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of(pipe), "cannot write " + pipe + ": nobody reads what is written there");
  const auto reader = open_file(pipe, O_RDONLY | O_NONBLOCK);
  write_named_file(pipe, "text");
  std::string got(8, '\0');
  EXPECT_EQ(::read(reader.number(), got.data(), got.size()), 4);
  EXPECT_EQ(got.substr(0, 4), "text");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(NamedFile, LinksAreFollowed) {
  const ScratchFolder scratch;
  fs::create_directory(scratch / "folder");
  replace_file(scratch / "folder/old", "old");
  fs::create_symlink("folder/old", scratch / "one");
  fs::create_symlink("one", scratch / "two");
  fs::create_symlink(scratch / "folder/new", scratch / "dangling");
  fs::create_symlink("loop", scratch / "loop");
  write_named_file(scratch / "two", "text");
  write_named_file(scratch / "dangling", "new");
  EXPECT_EQ(read_file(scratch / "folder/old"), "text");
  EXPECT_EQ(read_file(scratch / "folder/new"), "new");
  for (const auto* name : {"one", "two", "dangling"}) EXPECT_TRUE(fs::is_symlink(scratch / name)) << name;
  EXPECT_THAT(error_of(scratch / "loop"), HasSubstr("cannot write"));
  EXPECT_TRUE(fs::is_symlink(scratch / "loop"));
  EXPECT_THAT(error_of(scratch / "folder"), HasSubstr("cannot write"));
}

// As `--markdown /dev/stdout > log` has it: what the log holds already stays.
TEST(NamedFile, ADescriptorOfOnesOwnGoesOnWhereItIs) {
  const ScratchFolder scratch;
  const auto log = open_file(scratch / "log", O_WRONLY | O_CREAT);
  write_all(log, "before ", "log");
  fs::create_symlink("/dev/fd/" + std::to_string(log.number()), scratch / "link");
  for (const auto& path :
       {"/dev/fd/" + std::to_string(log.number()), "/proc/self/fd/" + std::to_string(log.number()), scratch / "link"})
    write_named_file(path, "text ");
  write_all(log, "behind", "log");
  EXPECT_EQ(read_file(scratch / "log"), "before text text text behind");
  EXPECT_THAT(error_of("/dev/fd/1000"), HasSubstr("cannot write /dev/fd/1000"));
}

}  // namespace
}  // namespace ddpbench
