#include "suite/base/printable.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

using namespace std::string_literals;

TEST(Printable, LeavesTextAsItIs) {
  for (const auto* text : {"", "plain text", "±2 µs, 25 × ü, 日本, 🙂", "<b>$x_1$ `a` \"q\" \\"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, NothingSteersATerminal) {
  EXPECT_EQ(printable("a\033[2Jb"), "a?[2Jb");
  EXPECT_EQ(printable("a\0b\rc\nd\te\x7f"s), "a?b?c?d?e?");
  EXPECT_EQ(printable("\xc2\x9b"s + "31m"), "?31m") << "U+009B begins a sequence as ESC [ does";
  EXPECT_EQ(printable("user\xe2\x80\xaetxt.exe"), "user?txt.exe") << "U+202E turns what follows";
}

TEST(Printable, NothingEndsALine) {
  for (const auto* text : {"a\nb", "a\vb", "a\fb",
                           "a\x1c"
                           "b",
                           "a\xc2\x85"
                           "b",
                           "a\xe2\x80\xa8"
                           "b",
                           "a\xe2\x80\xa9"
                           "b"}) {
    EXPECT_EQ(printable(text), "a?b") << testing::PrintToString(text);
    EXPECT_FALSE(is_printable_line(text)) << testing::PrintToString(text);
  }
  EXPECT_TRUE(is_printable_line("--comment=ü 日本"));
}

TEST(Printable, BrokenUtf8IsShownAsSuch) {
  EXPECT_EQ(printable("r\xff"), "r?");
  EXPECT_EQ(printable("\xc3"), "?") << "cut";
  EXPECT_EQ(printable("\xe0\x80\xaf"), "???") << "a slash in three bytes";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "beyond U+10FFFF";
}

TEST(Printable, IsCutAtItsLimit) {
  EXPECT_EQ(printable("abcdef", 3), "abc…");
  EXPECT_EQ(printable("abc", 3), "abc");
}

}  // namespace
}  // namespace ddpbench
