#include "suite/store/gzip_members.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

std::string read_all(const std::string& path, std::int64_t committed) {
  GzipMemberReader members(path, committed);
  std::string text;
  while (members.next(text)) continue;
  return text;
}

std::string random_digits(std::size_t length) {
  std::mt19937 generator(7);
  std::string text(length, '0');
  for (auto& c : text) c = static_cast<char>('0' + generator() % 10);
  return text;
}

TEST(GzipMembers, ReadsBackMemberByMember) {
  const ScratchFolder scratch;
  const auto path = scratch / "a.gz";
  const auto large = random_digits(5'000'000);  // several chunks of input and output
  const auto one = append_gzip_member(path, 0, "header\n");
  const auto two = append_gzip_member(path, one, large);
  const auto three = append_gzip_member(path, two, "");
  GzipMemberReader members(path, three);
  std::string text;
  ASSERT_TRUE(members.next(text));
  EXPECT_EQ(text, "header\n");
  EXPECT_EQ(members.end_offset(), one);
  text.clear();
  ASSERT_TRUE(members.next(text));
  EXPECT_EQ(text, large);
  EXPECT_EQ(members.end_offset(), two);
  text.clear();
  ASSERT_TRUE(members.next(text));
  EXPECT_EQ(text, "");
  EXPECT_FALSE(members.next(text));
  EXPECT_EQ(three, static_cast<std::int64_t>(fs::file_size(path)));
}

TEST(GzipMembers, TruncationAtAnyByteOfTheLastMemberLeavesTheEarlierOnesReadable) {
  const ScratchFolder scratch;
  const auto path = scratch / "a.gz";
  const auto header = append_gzip_member(path, 0, "header\n");
  const auto committed = append_gzip_member(path, header, "launch 1\n");
  const auto end = append_gzip_member(path, committed, random_digits(300));
  const auto whole = read_file(path);
  for (auto cut = committed; cut < end; ++cut) {
    replace_file(path, std::string_view(whole).substr(0, static_cast<std::size_t>(cut)));
    ASSERT_EQ(read_all(path, committed), "header\nlaunch 1\n") << "cut at " << cut;
    const auto again = append_gzip_member(path, committed, "launch 2\n");
    ASSERT_EQ(read_all(path, again), "header\nlaunch 1\nlaunch 2\n") << "cut at " << cut;
  }
}

TEST(GzipMembers, EveryChangedByteOrCutIsFound) {
  const ScratchFolder scratch;
  const auto path = scratch / "a.gz";
  const auto first = append_gzip_member(path, 0, "header\n");
  const auto end = append_gzip_member(path, first, random_digits(100));
  const auto whole = read_file(path);
  const auto good = read_all(path, end);
  const auto member = static_cast<std::size_t>(first);
  for (std::size_t i = member + 10; i < whole.size(); ++i) {  // after gzip's header, whose time and system fields say nothing
    auto changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    replace_file(path, changed);
    ASSERT_THROW(read_all(path, end), Error) << "byte " << i;
  }
  replace_file(path, whole);
  EXPECT_THROW(read_all(path, end - 1), Error);
  EXPECT_EQ(read_all(path, end), good);
}

TEST(GzipMembers, ErrorsNameThePathAndTheSystemsReason) {
  try {
    append_gzip_member("/nowhere/a.gz", 0, "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot write /nowhere/a.gz: No such file or directory");
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

}  // namespace
}  // namespace ddpbench
