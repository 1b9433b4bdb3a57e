#include "suite/plan/experiment.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;

constexpr const char* kLeast = "name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"resnet50_cifar10\", \"null\"]\n";

Experiment parsed(const std::string& toml, const Overrides& overrides = {}) {
  return parse_experiment(toml, "x.toml", test::test_vocabulary(), overrides);
}

std::vector<std::string> axis(const Experiment& experiment, const std::string& name) {
  for (const auto& axis : experiment.axes) {
    if (axis.name == name) return axis.values;
  }
  return {};
}

TEST(Experiment, NameArmsAndWorkloadAreEnough) {
  const auto experiment = parsed(kLeast);
  EXPECT_EQ(experiment.name, "n");
  EXPECT_EQ(experiment.protocol, Protocol{});
  std::vector<std::string> axes;
  for (const auto& one : experiment.axes) axes.push_back(one.name + "=" + one.values.front());
  EXPECT_THAT(axes, ElementsAre("workload=resnet50_cifar10", "strategy=ddp", "backend=gloo", "precision=fp32", "nodes=1",
                                "ranks_per_node=1", "batch_size_per_rank=16"));
}

TEST(Experiment, EveryKeyIsRead) {
  const auto experiment =
      parsed(std::string(kLeast) +
             "nodes = [2, 1]\nbucket_cap_mb = [1, 2.50]\nconstraints = [\"nodes < 3\"]\n[protocol]\nlaunches = 3\n"
             "margin_percent = 1\nmax_seconds_per_launch = 1e2\n[workload]\nstem = \"imagenet\"\n"
             "[strategy]\ngradient_as_bucket_view = true\n");
  EXPECT_THAT(axis(experiment, "nodes"), ElementsAre("2", "1"));
  EXPECT_THAT(axis(experiment, "bucket_cap_mb"), ElementsAre("1", "2.5"));
  EXPECT_THAT(experiment.constraints, ElementsAre("nodes < 3"));
  EXPECT_EQ(experiment.protocol.launches, 3);
  EXPECT_EQ(experiment.protocol.margin_percent, 1);
  EXPECT_EQ(experiment.protocol.max_seconds_per_launch, 100);
  EXPECT_EQ(experiment.options[OptionGroup::kWorkload].at("stem").text, "imagenet");
  EXPECT_EQ(experiment.options[OptionGroup::kStrategy].at("gradient_as_bucket_view"), (OptionValue{OptionType::kSwitch, "true"}));
}

TEST(Experiment, ConstraintsMayStandAboveTheTables) {
  const auto experiment = parsed("constraints = [\"nodes == 1\"]\n" + std::string(kLeast));
  EXPECT_THAT(experiment.constraints, ElementsAre("nodes == 1"));
}

TEST(Experiment, OptionAxesKeepTheOrderOfTheFile) {
  const auto experiment = parsed(std::string(kLeast) + "stem = [\"cifar\"]\nbucket_cap_mb = [1]\ndata = [\"cifar\"]\n");
  ASSERT_EQ(experiment.axes.size(), 10U);
  EXPECT_EQ(experiment.axes[7].name, "stem");
  EXPECT_EQ(experiment.axes[8].name, "bucket_cap_mb");
  EXPECT_EQ(experiment.axes[9].name, "data");
}

TEST(Experiment, TomlRoundTrip) {
  const auto experiment =
      parsed("memory_where = \"nodes == 1\"\n" + std::string(kLeast) +
                 "stem = [\"imagenet\", \"cifar\"]\nlaunches = [1, 2]\nmargin_us = [0.1, 3]\n"
                 "gradient_as_bucket_view = [true, false]\nconstraints = ['stem == \"cifar\"']\n[arms_where]\nraw = \"stem != "
                 "\\\"x\\\"\"\n[protocol]\n"
                 "injected_us = 0.30000000000000004\nseed = 9007199254740991\nmax_seconds_per_launch = 1e6\n[workload]\n"
                 "data = \"constant\"\n[strategy]\nbucket_cap_mb = 1.25\n",
             {{}, {"nodes == 1\tor backend != \"a\\\\\""}});
  EXPECT_EQ(parsed(to_toml(experiment)), experiment) << to_toml(experiment);
  EXPECT_EQ(parsed(to_toml(parsed(kLeast))), parsed(kLeast));
}

TEST(Experiment, MemoryWhereIsSwitchedOffByAnEmptyText) {
  EXPECT_EQ(parsed("memory_where = \"\"\n" + std::string(kLeast)), parsed(kLeast));
}

TEST(Experiment, TomlHoldsEveryDefault) {
  const auto toml = to_toml(parsed(kLeast));
  for (const char* line :
       {"backend = [\"gloo\"]", "nodes = [1]", "launches = 5", "margin_us = 2", "injected_us = 100", "constraints = []"}) {
    EXPECT_THAT(toml, testing::HasSubstr(line));
  }
}

TEST(Overrides, ReplaceAnyKeyOfTheFile) {
  const auto experiment =
      parsed(std::string(kLeast) + "nodes = [1, 2]\nstem = [\"imagenet\", \"cifar\"]\n[protocol]\nlaunches = 3\n",
             {{"nodes=4", "name=other", "arms=raw,trainer-fetch", "launches=7", "stem=cifar", "data=constant",
               "strategy.bucket_cap_mb=5", "axes.workload=resnet18_cifar10"},
              {"nodes > 1"}});
  EXPECT_EQ(experiment.name, "other");
  EXPECT_THAT(experiment.arms, ElementsAre("raw", "trainer-fetch"));
  EXPECT_THAT(axis(experiment, "workload"), ElementsAre("resnet18_cifar10"));
  EXPECT_THAT(axis(experiment, "nodes"), ElementsAre("4"));
  EXPECT_THAT(axis(experiment, "stem"), ElementsAre("cifar")) << "an axis of the file stays one, so that constraints may name it";
  EXPECT_EQ(experiment.protocol.launches, 7);
  EXPECT_EQ(experiment.options[OptionGroup::kWorkload].at("data").text, "constant");
  EXPECT_EQ(experiment.options[OptionGroup::kStrategy].at("bucket_cap_mb").text, "5");
  EXPECT_THAT(experiment.constraints, ElementsAre("nodes > 1"));
}

TEST(Overrides, SeveralValuesMakeAnOptionAnAxis) {
  const auto experiment = parsed(std::string(kLeast) + "[protocol]\nlaunches = 3\n[workload]\nstem = \"cifar\"\n",
                                 {{"stem=cifar, imagenet", "launches=1,2"}, {}});
  EXPECT_THAT(axis(experiment, "stem"), ElementsAre("cifar", "imagenet"));
  EXPECT_THAT(axis(experiment, "launches"), ElementsAre("1", "2"));
  EXPECT_TRUE(experiment.options[OptionGroup::kWorkload].empty());
  EXPECT_EQ(experiment.protocol.launches, Protocol{}.launches);
}

// What a newcomer types first: another workload for a file whose workload has an option that the other does not know.
TEST(Overrides, QuickTakesWhatTheFileSaysIsLess) {
  const std::string toml =
      std::string(kLeast) +
      "nodes = [1, 2]\n[protocol]\nlaunches = 5\n[quick]\nlaunches = 2\nnodes = [2]\narms = [\"raw\", \"trainer\"]\n";
  EXPECT_EQ(parsed(toml).protocol.launches, 5);
  const auto quick = parsed(toml, {.quick = true});
  EXPECT_EQ(quick.protocol.launches, 2);
  EXPECT_THAT(axis(quick, "nodes"), ElementsAre("2"));
  EXPECT_THAT(quick.arms, ElementsAre("raw", "trainer"));
  EXPECT_EQ(parsed(toml, {.settings = {"launches=3"}, .quick = true}).protocol.launches, 3)
      << "the command line has the last word";
  EXPECT_EQ(parsed(to_toml(quick)), quick);
  EXPECT_THROW(parsed(kLeast, {.quick = true}), UsageError);
}

TEST(Overrides, AnotherWorkloadNeedsNoOptionOfTheFilesOwn) {
  const std::string file =
      "name = \"n\"\narms = [\"raw\"]\naxes.workload = [\"resnet50_cifar10\"]\nworkload.stem = \"imagenet\"\n";
  EXPECT_TRUE(parsed(file, {{"workload=null"}, {}}).options[OptionGroup::kWorkload].empty());
  EXPECT_EQ(parsed(file, {{"workload=null,resnet50_cifar10"}, {}}).options[OptionGroup::kWorkload].at("stem").text, "imagenet");
  EXPECT_THROW(parsed(file, {{"workload=null", "stem=cifar"}, {}}), UsageError) << "asked for together";
  EXPECT_THROW(parsed(file + "workload.stemm = 1\n", {{"workload=null"}, {}}), UsageError) << "no workload has it";
}

TEST(Overrides, NumbersAreKeptInOneForm) {
  const auto experiment = parsed(kLeast, {{"nodes=7", "bucket_cap_mb=2.50,2"}, {}});
  EXPECT_THAT(axis(experiment, "nodes"), ElementsAre("7"));
  EXPECT_THAT(axis(experiment, "bucket_cap_mb"), ElementsAre("2.5", "2"));
  EXPECT_THROW(parsed(kLeast, {{"bucket_cap_mb=2.5,2.50"}, {}}), UsageError);
}

std::string mistake_in_arms(const std::string& arms) {
  const auto text = "name = \"n\"\narms = [" + arms + "]\n[axes]\nworkload = [\"null\"]\n";
  try {
    parse_experiment(text, "x.toml", test::two_family_vocabulary());
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Experiment, EveryArmHasItsOwnReferenceBesideIt) {
  EXPECT_EQ(mistake_in_arms(R"("raw", "trainer", "py_raw", "py_lightning+logger=50")"), "");
  EXPECT_EQ(mistake_in_arms(R"("py_raw", "py_lightning")"), "");
  EXPECT_THAT(mistake_in_arms(R"("raw", "trainer", "py_lightning")"),
              testing::HasSubstr(
                  "the reference arm \"py_raw\" is missing: \"py_lightning\" is compared with it, so it must be among them"));
}

TEST(Experiment, AnotherWorkHasItsOwnReferenceUnderOneName) {
  EXPECT_EQ(mistake_in_arms(R"("py_raw", "py_raw+accumulate=2", "py_lightning+accumulate")"), "");
  EXPECT_THAT(mistake_in_arms(R"("py_raw", "py_lightning+accumulate=3")"),
              testing::HasSubstr("the reference arm \"py_raw+accumulate=3\" is missing"));
  const auto text = "name = \"n\"\narms = [\"py_raw+accumulate=2\"]\n[axes]\nworkload = [\"null\"]\n";
  EXPECT_THAT(parse_experiment(text, "x.toml", test::two_family_vocabulary()).arms, ElementsAre("py_raw+accumulate"));
}

TEST(Experiment, AnArmWithTheDefaultValueIsTheSameArm) {
  EXPECT_THAT(mistake_in_arms(R"("raw", "trainer+logger", "trainer+logger=10")"),
              testing::HasSubstr("is the same arm as \"trainer+logger\""));
  EXPECT_THAT(mistake_in_arms(R"("raw", "trainer+logger=0")"), testing::HasSubstr("'0' must be from 1"));
  EXPECT_THAT(mistake_in_arms(R"("raw", "trainer-loops+bar")"), testing::HasSubstr("feature 'bar' requires feature 'loops'"));
}

TEST(Experiment, TheWordForADefaultMayBeWrittenAndReadsBack) {
  const std::string of_mlp = "name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"mlp_cifar10\"]\n";
  for (const auto* line : {"[workload]\nlearning_rate = \"default\"\n", "learning_rate = [\"default\", 0.5]\n"}) {
    const auto experiment = parsed(of_mlp + line);
    EXPECT_EQ(parsed(to_toml(experiment)), experiment) << line;
  }
  const auto swept = parsed(of_mlp, {{"learning_rate=default,0.5"}, {}});
  EXPECT_THAT(axis(swept, "learning_rate"), ElementsAre("default", "0.5"));
}

}  // namespace
}  // namespace ddpbench
