#include "suite/base/text.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

using Words = std::vector<std::string>;

TEST(Text, JoinsWithTheSeparatorBetween) {
  EXPECT_EQ(join(Words{}, ", "), "");
  EXPECT_EQ(join(Words{"a"}, ", "), "a");
  EXPECT_EQ(join(Words{"", "b", ""}, ","), ",b,");
}

TEST(Text, SplitIsItsInverse) {
  EXPECT_EQ(split("", ','), Words{""});
  EXPECT_EQ(split("a,,b", ','), (Words{"a", "", "b"}));
  EXPECT_EQ(join(split(",x,", ','), ","), ",x,");
}

TEST(Text, HoldsLooksForTheWholeWord) {
  EXPECT_TRUE(holds(Words{"loops", "loss"}, "loss"));
  EXPECT_FALSE(holds(Words{"loops"}, "loop"));
}

}  // namespace
}  // namespace ddpbench
