#include "suite/store/whole_member.hpp"

#include <gtest/gtest.h>

#include <random>

#include "suite/base/durable_file.hpp"
#include "suite/store/gzip_members.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

std::string digits(std::size_t length) {
  std::mt19937 generator(7);
  std::string text(length, '0');
  for (auto& c : text) c = static_cast<char>('0' + generator() % 10);
  return text;
}

struct WholeMember : testing::Test {
  const ScratchFolder scratch;
  const std::string path = scratch / "a.gz";
  std::string text = "before ";

  bool append(std::int64_t begin, std::int64_t end) { return append_whole_member(path, begin, end, text); }
};

TEST_F(WholeMember, IsAppended) {
  const auto header = append_gzip_member(path, 0, "header\n");
  const auto rows = append_gzip_member(path, header, digits(5'000'000));
  ASSERT_TRUE(append(header, rows));
  EXPECT_EQ(text, "before " + digits(5'000'000));
}

TEST_F(WholeMember, IsNotWhatHasAnotherLength) {
  const auto header = append_gzip_member(path, 0, "header\n");
  const auto first = append_gzip_member(path, header, "launch 1\n");
  const auto second = append_gzip_member(path, first, "launch 2\n");
  EXPECT_FALSE(append(header, second)) << "two members";
  EXPECT_FALSE(append(header, first - 1));
  EXPECT_FALSE(append(header + 1, first));
  EXPECT_FALSE(append(first, second + 1)) << "longer than the file";
  EXPECT_FALSE(append(first, first));
  EXPECT_EQ(text, "before ");
}

TEST_F(WholeMember, HasEveryByteRight) {
  const auto end = append_gzip_member(path, 0, digits(100));
  const auto whole = read_file(path);
  for (std::size_t i = 10; i < whole.size(); ++i) {  // after gzip's header, whose time and system fields say nothing
    auto changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    replace_file(path, changed);
    ASSERT_FALSE(append(0, end)) << "byte " << i;
  }
  EXPECT_EQ(text, "before ");
}

TEST_F(WholeMember, IsLeftToTheCarefulReaderWhereItUnpacksToFarMoreThanSamples) {
  const auto end = append_gzip_member(path, 0, std::string(std::size_t{64} << 20, '0'));
  EXPECT_FALSE(append(0, end));
}

}  // namespace
}  // namespace ddpbench
