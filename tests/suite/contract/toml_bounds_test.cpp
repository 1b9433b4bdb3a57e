#include "suite/contract/toml_bounds.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

std::string complaint(const std::string& text) {
  try {
    require_bounded_toml(text, "x.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(TomlBounds, WhatPeopleWritePasses) {
  EXPECT_EQ(complaint("name = \"n\"\na.b . \"c.d\" = [[1.5, 2.5], {x = 1979-05-27T07:32:00.5}]\n[axes]\n"), "");
  EXPECT_EQ(complaint("# " + repeated("a.", 100) + repeated("[", 100)), "");
  EXPECT_EQ(complaint("a = \"" + repeated("a.[", 100) + "\"\nb = '" + repeated(".=", 100) + "'\n"), "");
  EXPECT_EQ(complaint("a = [" + repeated("1.5,", 1000) + "]\n" + repeated("x = 1.0\n", 1000)), "");
}

TEST(TomlBounds, ADottedKeyHasFewParts) {
  EXPECT_THAT(complaint("x = 1\n" + repeated("a.", 40'000) + "a = 1"),
              HasSubstr("x.toml:2: more than 32 parts of one dotted key"));
  EXPECT_THAT(complaint("[" + repeated("a . ", 40'000) + "a]"), HasSubstr("parts"));
  EXPECT_THAT(complaint(repeated("\"a\".'b'.", 20'000) + "a = 1"), HasSubstr("parts"));
}

TEST(TomlBounds, BracketsNestAFewTimes) {
  EXPECT_THAT(complaint("\n\nx = " + repeated("[", 100'000)), HasSubstr("x.toml:3: more than 32 brackets within each other"));
  EXPECT_THAT(complaint("x = " + repeated("{a=", 100'000)), HasSubstr("brackets"));
  EXPECT_EQ(complaint(repeated("x = [[1]]\n", 1000)), "");
}

TEST(TomlBounds, KeysAndBytesAreCounted) {
  EXPECT_EQ(complaint(repeated("k=1\n", 10'000)), "");
  EXPECT_THAT(complaint(repeated("k=1\n", 10'001)), HasSubstr("x.toml:10001: more than 10000 keys and tables"));
  EXPECT_THAT(complaint(repeated("[k]\n", 10'001)), HasSubstr("x.toml:10001: more than 10000 keys and tables"));
  EXPECT_THAT(complaint(std::string(kMaxTomlBytes + 1, ' ')), HasSubstr("x.toml has 4194305 bytes: at most 4194304 are read"));
}

TEST(TomlBounds, NoQuoteHidesWhatFollowsIt) {
  const auto deep = repeated("a.", 100) + "a = 1";
  for (const auto* quoted : {"''", "'a'", R"("\"")", R"("""a""""")", "\"\"\"a\n\"\"\"\"", "'''a''''", "'''\\'''", R"("""\"""")",
                             "\"never closed\n", "'never closed\n"}) {
    EXPECT_THAT(complaint("x = {k = " + std::string(quoted) + ", " + deep + "}"), HasSubstr("parts")) << quoted;
  }
}

TEST(TomlBounds, NoControlCharactersStandInIt) {
  EXPECT_THAT(complaint(std::string("name = \"x\"\n[\0", 13)), HasSubstr("x.toml:2: a control character (byte 0)"));
  EXPECT_THAT(complaint("name = \"\x1b[31m\""), HasSubstr("x.toml:1: a control character (byte 27)"));
  EXPECT_EQ(complaint("a = 1\t# tab\r\nb = 2\n"), "");
}

}  // namespace
}  // namespace ddpbench
