#include "suite/plan/joined_experiment.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;

std::string toml(const std::string& nodes, const std::string& constraints, const std::string& block_steps = "10") {
  return "name = \"scaling\"\narms = [\"raw\"]\n\n[axes]\nworkload = [\"null\"]\nnodes = " + nodes +
         "\nconstraints = " + constraints + "\n\n[protocol]\nblock_steps = " + block_steps + "   # steps of a block\n";
}

TEST(JoinedExperiment, OfAlikeOnesIsTheirText) {
  const auto text = toml("[1, 2]", "[]");
  EXPECT_EQ(joined_experiment({{"a", text}, {"b", text}}), text);
}

TEST(JoinedExperiment, HoldsAllValuesOfAnAxisAndTheConstraintsThatAllHave) {
  const auto joined =
      joined_experiment({{"a", toml("[1, 2]", "[\"nodes == 1\", \"x\"]")}, {"b", toml("[4, 2]", "[\"x\", \"nodes > 1\"]")}});
  EXPECT_EQ(joined,
            "name = \"scaling\"\narms = [\"raw\"]\n\n[axes]\nworkload = ['null']\nnodes = [1, 2, 4]\nconstraints = ['x']\n"
            "\n[protocol]\nblock_steps = 10   # steps of a block\n");
}

TEST(JoinedExperiment, JobsMayDifferInAxesAndConstraints) {
  EXPECT_EQ(why_not_one_experiment({"a", toml("[1]", "[]")}, {"b", toml("[2]", "[\"nodes > 1\"]")}), "");
}

TEST(JoinedExperiment, JobsMayDifferInHowManyLaunchesTheyHave) {
  const auto text = toml("[1]", "[]");
  EXPECT_EQ(why_not_one_experiment({"a", text + "launches = 3\n"}, {"b", text + "launches = 5\n"}), "");
  EXPECT_EQ(why_not_one_experiment({"a", text}, {"b", text + "launches = 5\n"}), "");
}

TEST(JoinedExperiment, NamesWhatMakesThemTwo) {
  EXPECT_EQ(why_not_one_experiment({"a", toml("[1]", "[]")}, {"b", toml("[1]", "[]", "20")}),
            "block_steps of [protocol] is 10 in a and 20 in b");
  EXPECT_EQ(why_not_one_experiment({"a", toml("[1]", "[]")}, {"b", toml("[1]", "[]") + "seed = 3\n"}),
            "seed of [protocol] is 3 in b and missing in a");
  EXPECT_EQ(why_not_one_experiment({"a", "name = \"x\"\n"}, {"b", "name = \"y\"\n"}), "name is 'x' in a and 'y' in b");
}

TEST(JoinedExperiment, NamesTheFileThatIsNoToml) {
  try {
    experiment_name({"folder", "name = \n"});
    FAIL() << "read";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("folder/experiment.toml:1: "));
  }
}

}  // namespace
}  // namespace ddpbench
