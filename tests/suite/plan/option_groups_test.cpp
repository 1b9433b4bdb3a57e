// What holds options holds them alike: in TOML, by --set, on an axis, in a launch's tokens, and when they contradict each other.
#include "suite/contract/vocabulary/option_groups.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/plan_text.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

// An option `NAME_mode` of a, b or c, of which c needs a second option `NAME_on`.
std::vector<OptionEntry> options_of_group(const OptionGroupEntry& group) {
  const std::string name = group.name;
  auto mode = test::text_option(name + "_mode", "a", {"a", "b", "c"});
  mode.needs = {{"c", {{name + "_on", "true"}}}};
  return {mode, {.name = name + "_on", .type = OptionType::kSwitch, .default_value = "false", .legal = {}, .help = "a switch"}};
}

// The test vocabulary, in which the first entry of every group that a plain cell has takes two options.
Vocabulary vocabulary_with_options() {
  auto vocabulary = test::test_vocabulary();
  vocabulary.launchers = {test::entry<LauncherEntry>("local"), test::entry<LauncherEntry>("other")};
  const auto give = [](auto& entries, OptionGroup group) {
    entries.front().options = options_of_group(kOptionGroups[static_cast<std::size_t>(group)]);
  };
  give(vocabulary.workloads, OptionGroup::kWorkload);
  give(vocabulary.strategies, OptionGroup::kStrategy);
  give(vocabulary.backends, OptionGroup::kBackend);
  give(vocabulary.precisions, OptionGroup::kPrecision);
  give(vocabulary.arms, OptionGroup::kTrainer);
  give(vocabulary.launchers, OptionGroup::kLauncher);
  auto& strategies = vocabulary.strategies;  // the plain cell's is ddp
  std::swap(strategies.front().options, strategies.back().options);
  return vocabulary;
}

constexpr const char* kPlainCell = "name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"null\"]\n";

Experiment with_options(const std::string& further, const std::vector<std::string>& settings = {}) {
  return parse_experiment(kPlainCell + further, "x.toml", vocabulary_with_options(), {settings, {}});
}

Plan plan_with_options(const std::string& further, const std::vector<std::string>& settings = {}) {
  return make_plan(with_options(further, settings), vocabulary_with_options(), {});
}

class EachGroup : public testing::TestWithParam<OptionGroupEntry> {
 protected:
  const OptionGroupEntry& holder_ = GetParam();
  const std::string name_ = holder_.name;
  const std::string section_ = "[" + name_ + "]\n";
  const std::string mode_ = name_ + "_mode";
};

TEST_P(EachGroup, OptionsAreReadFromItsTable) {
  const auto experiment = with_options(section_ + mode_ + " = \"b\"\n");
  EXPECT_EQ(experiment.options[holder_.group].at(mode_).text, "b");
  EXPECT_EQ(with_options(to_toml(experiment).substr(to_toml(experiment).find("[protocol]"))), experiment);
  const auto text = plan_text(make_plan(experiment, vocabulary_with_options(), {}), experiment, {});
  EXPECT_THAT(text, HasSubstr("\n" + name_ + " options, as given\n  " + mode_));
}

TEST_P(EachGroup, OptionsAreSetOnTheCommandLine) {
  EXPECT_EQ(with_options("", {mode_ + "=b"}).options[holder_.group].at(mode_).text, "b");
  EXPECT_EQ(with_options("", {name_ + "." + mode_ + "=b"}).options[holder_.group].at(mode_).text, "b");
}

TEST_P(EachGroup, DefaultsAreFilledInAndTravelToTheRanks) {
  const auto spec = plan_with_options(section_ + mode_ + " = \"b\"\n").launches.at(0).spec;
  const std::map<std::string, std::string> expected{{mode_, "b"}, {name_ + "_on", "false"}};
  EXPECT_EQ(spec.options[holder_.group], expected);
  EXPECT_EQ(launch_spec_from_tokens(to_tokens(spec)).options[holder_.group], expected);
  EXPECT_THAT(launch_spec_help(), HasSubstr("  --" + name_ + "-option "));
}

TEST_P(EachGroup, AnOptionCanBeAnAxis) {
  const auto plan = plan_with_options(mode_ + " = [\"a\", \"b\"]\n");
  ASSERT_EQ(plan.launches.size(), 2U * 5U);
  std::set<std::string> ids;
  for (const auto& launch : plan.launches) ids.insert(launch.spec.cell_id);
  const std::string cell = "null-ddp-gloo-n1r1-fp32-b16-" + mode_ + "=";
  EXPECT_THAT(ids, ElementsAre(cell + "a", cell + "b"));
  EXPECT_THAT(plan.launches.at(0).options, HasSubstr(mode_ + "="));
}

TEST_P(EachGroup, ContradictionsAreFoundWhenItIsPlanned) {
  const auto message = mode_ + " = c needs " + name_ + "_on = true, not false";
  EXPECT_THAT([&] { plan_with_options(section_ + mode_ + " = \"c\"\n"); }, ThrowsMessage<UsageError>(HasSubstr(message)));
  EXPECT_NO_THROW(plan_with_options(section_ + mode_ + " = \"c\"\n" + name_ + "_on = true\n"));
}

TEST_P(EachGroup, MistakesSayWhatIsLegal) {
  EXPECT_THAT([&] { with_options(section_ + mode_ + " = \"d\"\n"); }, ThrowsMessage<UsageError>(HasSubstr("known: a, b, c")));
  EXPECT_THAT([&] { with_options(section_ + "mood = 1\n"); }, ThrowsMessage<UsageError>(HasSubstr("known: " + mode_)));
}

INSTANTIATE_TEST_SUITE_P(OptionGroups, EachGroup, testing::ValuesIn(kOptionGroups),
                         [](const auto& group) { return std::string(group.param.name); });

TEST(OptionGroups, AnOptionOfAnotherArmThanThoseListedIsUnknown) {
  auto vocabulary = test::test_vocabulary();
  vocabulary.arms.back().options = {test::text_option("loops_mode", "a", {"a", "b"})};  // the trainer's
  const auto with_arms = [&](const std::string& arms) {
    return parse_experiment("name = \"n\"\narms = " + arms + "\n[axes]\nworkload = [\"null\"]\n[trainer]\nloops_mode = \"b\"\n",
                            "x.toml", vocabulary);
  };
  EXPECT_THAT([&] { with_arms("[\"raw\"]"); }, ThrowsMessage<UsageError>(HasSubstr("trainer.loops_mode")));
  const auto plan = make_plan(with_arms("[\"raw\", \"trainer-fetch\"]"), vocabulary, {});
  EXPECT_EQ(plan.launches.at(0).spec.options[OptionGroup::kTrainer].at("loops_mode"), "b");
}

TEST(OptionGroups, ALaunchHasTheOptionsOfItsOwnArmsOnly) {
  auto vocabulary = test::test_vocabulary();
  vocabulary.arms.back().options = {test::text_option("loops_mode", "a", {"a", "b"})};  // the trainer's
  const auto experiment = parse_experiment(
      "name = \"n\"\narms = [\"raw\", \"trainer\"]\n[axes]\nworkload = [\"null\"]\nranks_per_node = [1, 2]\n[arms_where]\n"
      "trainer = \"ranks_per_node == 2\"\n",
      "x.toml", vocabulary);
  for (const auto& launch : make_plan(experiment, vocabulary, {}, PlanDepth::kFirstRepetition).launches) {
    EXPECT_EQ(launch.spec.options[OptionGroup::kTrainer].count("loops_mode"), launch.spec.ranks_per_node == 2 ? 1U : 0U);
  }
}

TEST(OptionGroups, TheLauncherOfThePlanHasItsOptionsAndNoOther) {
  const auto experiment = with_options("[launcher]\nlauncher_mode = \"b\"\n");
  Availability availability;
  availability.launcher = "other";
  const auto plan = make_plan(experiment, vocabulary_with_options(), availability);
  EXPECT_TRUE(plan.launches.at(0).spec.options[OptionGroup::kLauncher].empty());
}

TEST(OptionGroups, AnExperimentWithoutTheirTablesHasNone) {
  const auto experiment = with_options("");
  for (const auto& group : kOptionGroups) EXPECT_TRUE(experiment.options[group.group].empty());
  EXPECT_THAT(to_toml(experiment), Not(HasSubstr("[backend]")));
  EXPECT_THAT([] { parse_experiment("trainer = 1\n", "x.toml", vocabulary_with_options()); },
              ThrowsMessage<UsageError>(HasSubstr("must be a table, [trainer]")));
}

}  // namespace
}  // namespace ddpbench
