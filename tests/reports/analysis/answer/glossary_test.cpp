#include "reports/analysis/answer/glossary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Glossary, ArmsTheirFeaturesAndTheNamesOfCellsAreExplainedAsTheFolderSays) {
  Study study;
  study.vocabulary = test::test_vocabulary();
  study.vocabulary.backends[0].help = "TCP between CPUs";
  study.arms = arm_facts(study.vocabulary, std::vector<std::string>{"raw", "trainer-fetch", "unknown"});
  study.cells.resize(2);
  for (auto& cell : study.cells) cell.axes.workload = "null";
  EXPECT_THAT(glossary(study), ElementsAre(Pair("raw", "for tests"), Pair("trainer", "for tests"), Pair("fetch", "for tests"),
                                           Pair("null", "for tests"), Pair("ddp", "for tests"), Pair("gloo", "TCP between CPUs"),
                                           Pair("fp32", "for tests")));
}

TEST(Glossary, ABundleIsExplainedByItsPartsAndByArmWhereTheyDiffer) {
  Study study;
  study.vocabulary = test::two_family_vocabulary();
  const auto meaning_in = [&](const std::vector<std::string>& arms) {
    study.arms = arm_facts(study.vocabulary, arms);
    const auto words = glossary(study);
    return std::find_if(words.begin(), words.end(), [](const auto& word) { return word.first == "typical"; })->second;
  };
  EXPECT_EQ(meaning_in({"trainer+typical", "py_lightning+typical"}), "for tests: logger=50, bar, clip");
  study.vocabulary.arms.back().bundles = {{"typical", {"logger=5"}}};
  EXPECT_EQ(meaning_in({"trainer+typical", "py_lightning+typical"}),
            "for tests: logger=50, bar, clip in trainer; logger=5 in py_lightning");
}

}  // namespace
}  // namespace ddpbench
