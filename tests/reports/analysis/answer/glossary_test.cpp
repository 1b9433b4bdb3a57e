#include "reports/analysis/answer/glossary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/test_vocabulary.hpp"

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

}  // namespace
}  // namespace ddpbench
