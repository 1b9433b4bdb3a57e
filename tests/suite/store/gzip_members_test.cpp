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

}  // namespace
}  // namespace ddpbench
