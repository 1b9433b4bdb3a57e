#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
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

TEST(LegalArm, FeaturesAreTakenAwayAndAddedBehindItsOwn) {
  const auto vocabulary = small_vocabulary();
  EXPECT_THAT(legal_arm(vocabulary, "raw").features, ElementsAre());
  EXPECT_THAT(legal_arm(vocabulary, "trainer").features, ElementsAre("loops", "fetch", "loss"));
  const auto name = legal_arm(vocabulary, "trainer-fetch+log");
  EXPECT_EQ(name.base, "trainer");
  EXPECT_THAT(name.features, ElementsAre("loops", "loss", "log"));
}

TEST(LegalArm, MistakesNameWhatIsLegal) {
  const auto vocabulary = small_vocabulary();
  const auto parse = [&](const char* text) { return [&vocabulary, text] { legal_arm(vocabulary, text); }; };
  EXPECT_THAT(parse("lightning"), ThrowsMessage<UsageError>(HasSubstr("unknown arm 'lightning' (known: raw, trainer)")));
  EXPECT_THAT(parse("trainer+bar"), ThrowsMessage<UsageError>(HasSubstr("unknown feature 'bar'")));
  EXPECT_THAT(parse("trainer+"), ThrowsMessage<UsageError>(HasSubstr("unknown feature ''")));
  EXPECT_THAT(parse("trainer+loss"), ThrowsMessage<UsageError>(HasSubstr("already has")));
  EXPECT_THAT(parse("trainer-log"), ThrowsMessage<UsageError>(HasSubstr("no feature 'log'")));
  EXPECT_THAT(parse("raw+log"), ThrowsMessage<UsageError>(HasSubstr("takes no features")));
}

TEST(LegalArm, AnArmWithoutFeaturesOfItsOwnMayTakeSome) {
  auto vocabulary = small_vocabulary();
  vocabulary.arms[0].takes = {"graph"};
  EXPECT_THAT(legal_arm(vocabulary, "raw").features, ElementsAre());
  EXPECT_THAT(legal_arm(vocabulary, "raw+graph").features, ElementsAre("graph"));
  const auto parse = [&](const char* text) { return [&vocabulary, text] { legal_arm(vocabulary, text); }; };
  EXPECT_THAT(parse("raw+log"), ThrowsMessage<UsageError>(HasSubstr("takes no feature 'log' (in 'raw+log'; it takes graph)")));
  EXPECT_THAT(parse("trainer+graph"), ThrowsMessage<UsageError>(HasSubstr("it takes loops, fetch, loss, log")));
}

TEST(LegalArm, AFeatureMayCarryAValue) {
  const auto vocabulary = test::two_family_vocabulary();
  const auto name = legal_arm(vocabulary, "trainer+logger=50+clip=1e-3");
  EXPECT_THAT(name.features, ElementsAre("loops", "fetch", "loss", "logger=50", "clip=0.001"));
  EXPECT_THAT(name.feature_names(), ElementsAre("loops", "fetch", "loss", "logger", "clip"));
  EXPECT_THAT(name.feature_values(), ElementsAre(Pair("clip", "0.001"), Pair("logger", "50")));
  EXPECT_THAT(legal_arm(vocabulary, "trainer+logger").feature_values(), ElementsAre(Pair("logger", "10")));
  EXPECT_THAT(legal_arm(vocabulary, "trainer+fast_logger").feature_values(), IsEmpty());
}

TEST(LegalArm, EveryWayToWriteAnArmHasOneCanonicalText) {
  const auto vocabulary = test::two_family_vocabulary();
  const auto canonical = [&](const char* text) { return legal_arm(vocabulary, text).canonical; };
  EXPECT_EQ(canonical("trainer+logger"), "trainer+logger=10");
  EXPECT_EQ(canonical("trainer+clip=1.50+logger=7-loss-fetch"), "trainer-fetch-loss+logger=7+clip=1.5");
  EXPECT_EQ(canonical("trainer+typical-bar"), "trainer+logger=50+clip=1");
}

TEST(LegalArm, AModuleStandsBehindTheBase) {
  const auto vocabulary = test::two_family_vocabulary();
  const auto canonical = [&](const char* text) { return legal_arm(vocabulary, text).canonical; };
  for (const char* text : {"py_raw=mine+accumulate=3", "py_raw+accumulate=3+module=mine"}) {
    EXPECT_EQ(canonical(text), "py_raw=mine+accumulate=3");
  }
  EXPECT_EQ(canonical("py_lightning+module=mine"), "py_lightning=mine");
  EXPECT_THROW(canonical("raw=mine"), UsageError);
}

TEST(LegalArm, ALoopOfTheUsersIsComparedWithTheLoopByHandOfTheSameWork) {
  const auto vocabulary = test::vocabulary_with_own_code();
  const auto loop = legal_arm(vocabulary, "py_loop=mine+accumulate=3");
  EXPECT_THAT(loop.feature_values(), ElementsAre(Pair("accumulate", "3"), Pair(kLoopFeature, "mine")));
  EXPECT_EQ(loop.reference, "py_raw+accumulate=3");
  EXPECT_EQ(loop.work, "+accumulate=3");
  EXPECT_EQ(loop.module, "");
  EXPECT_EQ(loop.canonical, "py_loop=mine+accumulate=3");
  EXPECT_EQ(legal_arm(vocabulary, "py_loop+accumulate=3+loop=mine").canonical, loop.canonical);
  EXPECT_THAT([&] { legal_arm(vocabulary, "py_loop"); },
              ThrowsMessage<UsageError>(HasSubstr("arm 'py_loop' requires feature 'loop', which 'py_loop' does not have")));
  EXPECT_THAT([&] { legal_arm(vocabulary, "py_loop=mine+module=net"); },
              ThrowsMessage<UsageError>(HasSubstr("takes no feature 'module'")));
}

TEST(LegalArm, ALoaderOfTheUsersIsAnotherWorkAndIsWrittenAsAFeature) {
  const auto vocabulary = test::vocabulary_with_own_code();
  const auto loop = legal_arm(vocabulary, "py_loop=mine+loader=its+accumulate");
  EXPECT_EQ(loop.canonical, "py_loop=mine+accumulate=2+loader=its");
  EXPECT_EQ(loop.reference, "py_raw+accumulate+loader=its");
  EXPECT_EQ(legal_arm(vocabulary, loop.reference).role, ArmRole::kReference);
  EXPECT_EQ(legal_arm(vocabulary, "py_raw=net+loader=its").reference, "py_raw=net+loader=its");
  EXPECT_EQ(legal_arm(vocabulary, "py_lightning=net+loader=its").module, "net");
}

TEST(LegalArm, ABundleStandsForItsParts) {
  const auto vocabulary = test::two_family_vocabulary();
  EXPECT_EQ(legal_arm(vocabulary, "trainer+typical").canonical, legal_arm(vocabulary, "trainer+bar+clip+logger=50").canonical);
  EXPECT_EQ(legal_arm(vocabulary, "trainer+bar+typical").canonical, legal_arm(vocabulary, "trainer+typical").canonical);
}

TEST(LegalArm, MistakesInValuesAndBundlesNameWhatIsLegal) {
  const auto vocabulary = test::two_family_vocabulary();
  const auto parse = [&](const char* text) { return [&vocabulary, text] { legal_arm(vocabulary, text); }; };
  EXPECT_THAT(parse("trainer+logger=0"),
              ThrowsMessage<UsageError>(AllOf(HasSubstr("feature 'logger' (log every n-th step): '0' must be from 1"),
                                              HasSubstr("in 'trainer+logger=0'"))));
  for (const auto* text :
       {"trainer+logger=1.5", "trainer+logger=010", "trainer+logger=5e1", "trainer+logger=99999999999999999999999"})
    EXPECT_THAT(parse(text), ThrowsMessage<UsageError>(HasSubstr("must be an integer"))) << text;
  EXPECT_THAT(parse("trainer+clip=-5"), ThrowsMessage<UsageError>(HasSubstr("'-5' must be from")));
  EXPECT_THAT(parse("trainer-loss=3"), ThrowsMessage<UsageError>(HasSubstr("'loss' is taken away without a value")));
  EXPECT_THAT(parse("trainer+bar=3"), ThrowsMessage<UsageError>(HasSubstr("feature 'bar' carries no value")));
  EXPECT_THAT(parse("trainer+typical=3"), ThrowsMessage<UsageError>(HasSubstr("stands for logger=50, bar, clip")));
  EXPECT_THAT(parse("trainer+logger=5+typical"), ThrowsMessage<UsageError>(HasSubstr("already has feature 'logger' (at 5)")));
  EXPECT_THAT(parse("trainer-typical"), ThrowsMessage<UsageError>(HasSubstr("has no feature 'logger' to take away")));
  EXPECT_THAT(parse("raw+typical"), ThrowsMessage<UsageError>(HasSubstr("arm 'raw' takes no feature 'logger'")));
}

TEST(LegalArm, WhatIsAddedAndTakenAwayToNoEffectIsRefused) {
  const auto vocabulary = test::two_family_vocabulary();
  const auto parse = [&](const char* text) { return [&vocabulary, text] { legal_arm(vocabulary, text); }; };
  for (const auto* text : {"trainer-loss+loss", "trainer+bar-bar", "trainer+typical-typical", "trainer+logger=5-logger"}) {
    EXPECT_THAT(parse(text),
                ThrowsMessage<UsageError>(HasSubstr("is added and taken away: leave out both (in '" + std::string(text))));
  }
  EXPECT_EQ(legal_arm(vocabulary, "trainer+typical-bar").canonical, "trainer+logger=50+clip=1");
}

TEST(LegalArm, FeaturesThatDoNotGoTogetherSaySo) {
  const auto vocabulary = test::two_family_vocabulary();
  const auto parse = [&](const char* text) { return [&vocabulary, text] { legal_arm(vocabulary, text); }; };
  EXPECT_THAT(
      parse("trainer-loops+bar"),
      ThrowsMessage<UsageError>(HasSubstr("feature 'bar' requires feature 'loops', which 'trainer-loops+bar' does not have")));
  EXPECT_THAT(parse("trainer+fast_logger+logger"),
              ThrowsMessage<UsageError>(HasSubstr("feature 'fast_logger' excludes feature 'logger'")));
}

}  // namespace
}  // namespace ddpbench
