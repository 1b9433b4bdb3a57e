#include "suite/contract/arm_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Vocabulary small_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.arms.resize(2);
  vocabulary.arms[0].name = "raw";
  vocabulary.arms[1].name = "trainer";
  vocabulary.arms[1].features = {"loops", "fetch", "loss"};
  vocabulary.arms[1].takes = {"log"};
  vocabulary.features.resize(5);
  for (std::size_t i = 0; i < 5; ++i) vocabulary.features[i].name = std::array{"loops", "log", "fetch", "loss", "graph"}[i];
  return vocabulary;
}

TEST(ArmName, FeaturesAreAddedAndTakenAwayInTheOrderOfTheTable) {
  const auto vocabulary = small_vocabulary();
  EXPECT_THAT(parse_arm_name(vocabulary, "raw").features, ElementsAre());
  EXPECT_THAT(parse_arm_name(vocabulary, "trainer").features, ElementsAre("loops", "fetch", "loss"));
  const auto name = parse_arm_name(vocabulary, "trainer-fetch+log");
  EXPECT_EQ(name.base, "trainer");
  EXPECT_THAT(name.features, ElementsAre("loops", "log", "loss"));
  EXPECT_TRUE(name.has("log"));
  EXPECT_FALSE(name.has("fetch"));
}

TEST(ArmName, MistakesNameWhatIsLegal) {
  const auto vocabulary = small_vocabulary();
  const auto parse = [&](const char* text) { return [&vocabulary, text] { parse_arm_name(vocabulary, text); }; };
  EXPECT_THAT(parse("lightning"), ThrowsMessage<UsageError>(HasSubstr("unknown arm 'lightning' (known: raw, trainer)")));
  EXPECT_THAT(parse("trainer+bar"), ThrowsMessage<UsageError>(HasSubstr("unknown feature 'bar'")));
  EXPECT_THAT(parse("trainer+"), ThrowsMessage<UsageError>(HasSubstr("unknown feature ''")));
  EXPECT_THAT(parse("trainer+loss"), ThrowsMessage<UsageError>(HasSubstr("already has")));
  EXPECT_THAT(parse("trainer-log"), ThrowsMessage<UsageError>(HasSubstr("no feature 'log'")));
  EXPECT_THAT(parse("raw+log"), ThrowsMessage<UsageError>(HasSubstr("takes no features")));
}

TEST(ArmName, AnArmWithoutFeaturesOfItsOwnMayTakeSome) {
  auto vocabulary = small_vocabulary();
  vocabulary.arms[0].takes = {"graph"};
  EXPECT_THAT(parse_arm_name(vocabulary, "raw").features, ElementsAre());
  EXPECT_THAT(parse_arm_name(vocabulary, "raw+graph").features, ElementsAre("graph"));
  const auto parse = [&](const char* text) { return [&vocabulary, text] { parse_arm_name(vocabulary, text); }; };
  EXPECT_THAT(parse("raw+log"), ThrowsMessage<UsageError>(HasSubstr("takes no feature 'log' (in 'raw+log'; it takes graph)")));
  EXPECT_THAT(parse("trainer+graph"), ThrowsMessage<UsageError>(HasSubstr("it takes loops, fetch, loss, log")));
}

TEST(ArmName, Controls) {
  EXPECT_TRUE(is_control("raw_again"));
  EXPECT_TRUE(is_control("injected"));
  EXPECT_FALSE(is_control("raw"));
}

}  // namespace
}  // namespace ddpbench
