#include "suite/contract/launch/options.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

TEST(Options, AChangedCopyLeavesTheOthersAsTheyWere) {
  const Options before{{"stem", "cifar"}};
  auto after = before;
  after["stem"] = "imagenet";
  after["data"] = "constant";
  EXPECT_EQ(before.at("stem"), "cifar");
  EXPECT_EQ(before.count("data"), 0U);
  EXPECT_EQ(after, (Options{{"data", "constant"}, {"stem", "imagenet"}}));
}

TEST(Options, EmptyOnesAreFilledEachForItself) {
  Options a;
  const Options b;
  a["x"] = "1";
  EXPECT_TRUE(b.empty());
  EXPECT_TRUE(Options().empty());
  EXPECT_EQ(a.find("x")->second, "1");
}

}  // namespace
}  // namespace ddpbench
