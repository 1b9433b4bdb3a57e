#include "suite/contract/vocabulary/arm_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "suite/contract/vocabulary/recorded_vocabulary.hpp"
#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

using Json = nlohmann::ordered_json;

TEST(ArmFacts, FeaturesMayChangeTheRole) {
  const auto tables = test::two_family_vocabulary();
  const std::map<std::string, ArmRole> roles{
      {"raw", ArmRole::kReference},        {"raw_again", ArmRole::kAaControl},   {"injected", ArmRole::kPositiveControl},
      {"raw-nvtx", ArmRole::kProbe},       {"raw-timers-nvtx", ArmRole::kProbe}, {"raw+ideal", ArmRole::kProbe},
      {"raw+ideal-nvtx", ArmRole::kProbe}, {"trainer", ArmRole::kSubject},       {"trainer-loss", ArmRole::kSubject},
      {"raw_item", ArmRole::kSubject},     {"py_raw", ArmRole::kReference},      {"py_lightning+typical", ArmRole::kSubject}};
  for (const auto& [name, role] : roles) EXPECT_EQ(arm_facts(tables, name).role, role) << name;
}

TEST(ArmFacts, AFamilyIsOfOneReference) {
  const auto tables = test::two_family_vocabulary();
  EXPECT_EQ(arm_facts(tables, "py_lightning+bar").reference, "py_raw");
  EXPECT_EQ(arm_facts(tables, "py_raw").reference, "py_raw");
  EXPECT_EQ(arm_facts(tables, "raw+ideal").reference, "raw");
  EXPECT_EQ(arm_facts(tables, "py_lightning").program, "python");
  EXPECT_EQ(aa_control_of(tables, "py_raw"), "py_raw_again");
  EXPECT_EQ(positive_control_of(tables, "py_raw", "wall"), "py_injected");
  EXPECT_EQ(positive_control_of(tables, "py_raw", "device"), "");
  EXPECT_THAT(references_of(arm_facts(tables, std::vector<std::string>{"raw", "py_lightning", "py_raw"})),
              ElementsAre("raw", "py_raw"));
}

TEST(ArmFacts, AModuleOfTheUsersIsAFamilyOfItsOwn) {
  const auto tables = test::two_family_vocabulary();
  const auto lightning = arm_facts(tables, "py_lightning=mine-loops+accumulate=3");
  EXPECT_EQ(lightning.module, "mine");
  EXPECT_EQ(lightning.base, "py_lightning");
  EXPECT_EQ(lightning.reference, "py_raw=mine+accumulate=3");
  EXPECT_EQ(lightning.work, "=mine+accumulate=3");
  EXPECT_EQ(arm_facts(tables, "py_raw+module=mine").reference, "py_raw=mine");
  EXPECT_EQ(arm_facts(tables, "py_raw=mine").role, ArmRole::kReference);
  EXPECT_EQ(arm_facts(tables, "py_raw=other").reference, "py_raw=other");
  EXPECT_EQ(arm_facts(tables, "py_raw").module, "");
  EXPECT_EQ(aa_control_of(tables, "py_raw=mine"), "py_raw_again=mine");
  EXPECT_EQ(positive_control_of(tables, "py_raw=mine", "wall"), "py_injected=mine");
}

TEST(ArmFacts, AnotherWorkIsAFamilyOfItsOwn) {
  const auto tables = test::two_family_vocabulary();
  for (const char* name :
       {"py_raw+accumulate", "py_raw+accumulate=2", "py_raw_again+accumulate", "py_lightning+accumulate-loops"}) {
    EXPECT_EQ(arm_facts(tables, name).reference, "py_raw+accumulate") << name;
    EXPECT_EQ(arm_facts(tables, name).work, "+accumulate=2") << name;
  }
  EXPECT_EQ(arm_facts(tables, "py_lightning+accumulate=3").reference, "py_raw+accumulate=3");
  EXPECT_EQ(arm_facts(tables, "py_lightning").work, "");
  EXPECT_EQ(arm_facts(tables, "py_raw+accumulate").role, ArmRole::kReference);
  EXPECT_EQ(arm_facts(tables, "py_raw_again+accumulate").role, ArmRole::kAaControl);
  EXPECT_EQ(aa_control_of(tables, "py_raw+accumulate"), "py_raw_again+accumulate");
  EXPECT_EQ(positive_control_of(tables, "py_raw+accumulate", "wall"), "py_injected+accumulate");
}

TEST(ArmFacts, FeaturesInForceHoldTheirValues) {
  const auto tables = test::two_family_vocabulary();
  EXPECT_THAT(arm_facts(tables, "trainer-fetch+logger").features, ElementsAre("loops", "loss", "logger=10"));
  EXPECT_THAT(arm_facts(tables, "trainer+typical-bar").features, ElementsAre("loops", "fetch", "loss", "logger=50", "clip=1"));
}

TEST(ArmFacts, AnArmMayHaveABundleOfItsOwnAndIsThenComparedWithTheWorkInIt) {
  auto tables = test::two_family_vocabulary();
  auto& lightning = tables.arms.back();
  ASSERT_EQ(lightning.name, "py_lightning");
  lightning.bundles = {{"typical", {"logger=7", "accumulate=4"}}};
  const auto typical = legal_arm(tables, "py_lightning+typical");
  EXPECT_THAT(typical.features, ElementsAre("loops", "logger=7", "accumulate=4"));
  EXPECT_EQ(typical.reference, "py_raw+accumulate=4");
  EXPECT_EQ(typical.canonical, "py_lightning+logger=7+accumulate=4");
  EXPECT_EQ(legal_arm(tables, "trainer+typical").canonical, "trainer+logger=50+clip=1+bar");
  EXPECT_THAT([&] { legal_arm(tables, "py_lightning+typical=3"); },
              ThrowsMessage<UsageError>(HasSubstr("stands for logger=7, accumulate=4")));
  EXPECT_THAT([&] { legal_arm(tables, "py_lightning+bar"); },
              ThrowsMessage<UsageError>(HasSubstr("it takes loops, logger, accumulate, fast_logger, decay, module)")));
}

TEST(ArmFacts, KnowItsMicroBatchesAlsoByDefaultOrInABundle) {
  const auto tables = test::two_family_vocabulary();
  EXPECT_EQ(arm_facts(tables, "py_raw").micro_batches, 1);
  EXPECT_EQ(arm_facts(tables, "py_raw+accumulate").micro_batches, 2);
  EXPECT_EQ(arm_facts(tables, "py_lightning+accumulate=4-loops").micro_batches, 4);
  EXPECT_TRUE(arm_facts(tables, "py_raw=mine").has_own_batches());
  EXPECT_FALSE(arm_facts(tables, "py_raw+accumulate=4").has_own_batches());
}

TEST(ArmFacts, AReferenceStandsOnceAmongEveryFourOfItsOwnFamily) {
  const auto tables = test::two_family_vocabulary();
  const std::vector<std::string> names{"raw",    "raw_again", "raw_item",    "trainer",      "trainer-loss", "raw-nvtx",
                                       "py_raw", "injected",  "py_injected", "py_lightning", "py_raw_again"};
  EXPECT_THAT(blocks_in_super_block(arm_facts(tables, names)), ElementsAre(2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
}

TEST(ArmFacts, ANumberIsTheSameHoweverItIsWritten) {
  const auto tables = test::two_family_vocabulary();
  for (const char* name : {"py_raw+decay=0.25", "py_raw+decay=.250", "py_raw+decay=25e-2"}) {
    EXPECT_EQ(arm_facts(tables, name).reference, "py_raw+decay=0.25") << name;
    EXPECT_EQ(arm_facts(tables, name).role, ArmRole::kReference) << name;
  }
  EXPECT_EQ(arm_facts(tables, "py_lightning+decay=0.250").reference, "py_raw+decay=0.25");
  EXPECT_EQ(arm_facts(tables, "py_lightning+decay=0.50").reference, "py_raw+decay") << "the default";
}

TEST(RecordedVocabulary, ComeBackAsTheyWere) {
  const auto tables = test::two_family_vocabulary();
  const auto again = recorded_vocabulary(record_vocabulary(tables), "environment.json");
  EXPECT_EQ(again.workloads, tables.workloads);
  EXPECT_EQ(again.strategies, tables.strategies);
  EXPECT_EQ(again.backends, tables.backends);
  EXPECT_EQ(again.precisions, tables.precisions);
  EXPECT_EQ(again.arms, tables.arms);
  EXPECT_EQ(again.features, tables.features);
  EXPECT_TRUE(occupies_gpus(again, "nccl"));
  EXPECT_FALSE(occupies_gpus(again, "gloo"));
  EXPECT_EQ(arm_facts(again, "py_lightning+logger=3").features, arm_facts(tables, "py_lightning+logger=3").features);
  EXPECT_THAT(
      [] {
        recorded_vocabulary({{"workloads", 3}}, "e.json");
      },
      ThrowsMessage<UsageError>(HasSubstr("e.json: its workloads cannot be read")));
}

}  // namespace
}  // namespace ddpbench
