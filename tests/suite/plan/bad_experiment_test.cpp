#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/plan/experiment.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> mistakes_of(const std::string& toml, const Overrides& overrides = {}) {
  try {
    parse_experiment(toml, "x.toml", test::test_vocabulary(), overrides);
  } catch (const UsageError& error) {
    return error.messages();
  }
  return {};
}

// The mistake stands on line 5 (or 3 for keys above [axes]) of an otherwise sound experiment, and is told once.
struct Bad {
  const char* what;
  std::string toml;
  std::vector<std::string> told;
};

std::string with_axis(const std::string& line) {
  return "name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"resnet50_cifar10\"]\n" + line + "\n";
}
std::string with_table(const std::string& table, const std::string& line) {
  return "name = \"n\"\narms = [\"raw\"]\naxes.workload = [\"null\", \"resnet50_cifar10\"]\n[" + table + "]\n" + line + "\n";
}
std::string with_arms(const std::string& arms) { return "name = \"n\"\naxes.workload = [\"null\"]\narms = " + arms + "\n"; }

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

const std::vector<Bad> kBad{
    {"unknown_axis",
     with_axis("backnd = [\"gloo\"]"),
     {"x.toml:5", "axes.backnd", "[\"gloo\"]", "unknown axis", "did you mean 'backend'"}},
    {"unknown_value",
     with_axis("backend = [\"glooo\"]"),
     {"x.toml:5", "axes.backend = \"glooo\"", "known: gloo, nccl, mpi", "did you mean 'gloo'"}},
    {"axis_is_no_list", with_axis("nodes = 2"), {"x.toml:5", "axes.nodes = 2", "must be a list"}},
    {"axis_is_empty", with_axis("nodes = []"), {"x.toml:5", "axes.nodes = []", "is empty", "at least one"}},
    {"value_twice", with_axis("nodes = [1, 2, 1]"), {"x.toml:5", "axes.nodes = 1", "twice"}},
    {"zero", with_axis("nodes = [0]"), {"x.toml:5", "axes.nodes = 0", "from 1 to 100000"}},
    {"negative", with_axis("ranks_per_node = [-1]"), {"x.toml:5", "axes.ranks_per_node = -1", "from 1 to 1024"}},
    {"absurd", with_axis("batch_size_per_rank = [1000001]"), {"x.toml:5", "1000001", "from 1 to 1000000"}},
    {"wrong_type_text", with_axis("nodes = [\"1\"]"), {"x.toml:5", "axes.nodes = \"1\"", "an integer"}},
    {"wrong_type_number", with_axis("nodes = [1.0]"), {"x.toml:5", "axes.nodes", "an integer"}},
    {"wrong_type_integer", with_axis("backend = [1]"), {"x.toml:5", "axes.backend = 1", "text in quotes", "gloo"}},
    {"nested_list", with_axis("nodes = [[1]]"), {"x.toml:5", "axes.nodes", "an integer"}},
    {"date", with_axis("nodes = [1979-05-27]"), {"x.toml:5", "axes.nodes", "an integer"}},
    {"option_axis_value",
     with_axis("stem = [\"cifar\", \"cifer\"]"),
     {"x.toml:5", "axes.stem = \"cifer\"", "imagenet, cifar", "did you mean 'cifar'"}},
    {"protocol_axis_value", with_axis("launches = [5, 0]"), {"x.toml:5", "axes.launches = 0", "from 1 to 10000"}},
    {"top_key_below_axes", with_axis("arms = [\"raw\"]"), {"x.toml:5", "axes.arms", "top of the file"}},
    {"arms_where_unknown",
     with_table("arms_where", "rau = \"nodes == 1\""),
     {"x.toml:5", "unknown arm 'rau'", "did you mean 'raw'"}},
    {"arms_where_other",
     with_table("arms_where", "trainer = \"nodes == 1\""),
     {"x.toml:5", "arms_where.trainer", "must be one of the arms: raw"}},
    {"arms_where_name", with_table("arms_where", "raw = \"node == 1\""), {"x.toml:5", "arms_where", "unknown axis 'node'"}},
    {"memory_where_name",
     "name = \"n\"\narms = [\"raw\"]\nmemory_where = \"node == 1\"\naxes.workload = [\"null\"]\n",
     {"x.toml:3", "memory_where", "unknown axis 'node'"}},
    {"memory_where_type",
     "name = \"n\"\narms = [\"raw\"]\nmemory_where = true\naxes.workload = [\"null\"]\n",
     {"x.toml:3", "memory_where = true", "text in quotes"}},
    {"arms_where_type", with_table("arms_where", "raw = 3"), {"x.toml:5", "arms_where.raw = 3", "text in quotes"}},
    {"constraint_type", with_axis("constraints = [3]"), {"x.toml:5", "axes.constraints = 3", "text in quotes"}},
    {"constraint_no_list", with_axis("constraints = \"nodes == 1\""), {"x.toml:5", "axes.constraints", "must be a list"}},
    {"constraint_name",
     with_axis("constraints = [\"node == 1\"]"),
     {"x.toml:5", "axes.constraints", "unknown axis 'node'", "did you mean 'nodes'", "\n    node == 1\n    ^"}},
    {"unknown_protocol_key", with_table("protocol", "lanches = 3"), {"x.toml:5", "protocol.lanches", "did you mean 'launches'"}},
    {"axis_in_protocol", with_table("protocol", "nodes = [1]"), {"x.toml:5", "protocol.nodes", "belongs under [axes]"}},
    {"zero_launches", with_table("protocol", "launches = 0"), {"x.toml:5", "protocol.launches = 0", "from 1 to 10000"}},
    {"nan", with_table("protocol", "margin_percent = nan"), {"x.toml:5", "protocol.margin_percent = nan", "a number from"}},
    {"infinity", with_table("protocol", "max_seconds_per_launch = inf"), {"x.toml:5", "= inf", "a number from 0.1 to 1000000"}},
    {"minus_infinity", with_table("protocol", "injected_us = -inf"), {"x.toml:5", "= -inf", "a number from"}},
    {"list_for_one",
     with_table("protocol", "launches = [1, 2]"),
     {"x.toml:5", "protocol.launches = [1, 2]", "one value", "[axes]"}},
    {"switch_for_integer", with_table("protocol", "seed = true"), {"x.toml:5", "protocol.seed = true", "an integer from 0"}},
    {"contradiction",
     with_table("protocol", "max_super_blocks = 3"),
     {"x.toml", "max_super_blocks = 3", "min_super_blocks = 6", "0 (no bound)"}},
    {"unknown_option",
     with_table("workload", "stam = \"cifar\""),
     {"x.toml:5", "unknown option 'stam'", "known: stem, data", "did you mean 'stem'"}},
    {"option_of_an_unlisted_strategy",
     with_table("strategy", "stem = \"cifar\""),
     {"x.toml:5", "unknown option 'stem'", "bucket_cap_mb", "of ddp"}},
    {"option_value", with_table("workload", "stem = \"image\""), {"x.toml:5", "workload.stem = \"image\"", "imagenet, cifar"}},
    {"option_bound",
     with_table("strategy", "bucket_cap_mb = 0"),
     {"x.toml:5", "strategy.bucket_cap_mb = 0", "a number from 0.1 to 1000"}},
    {"option_switch", with_table("strategy", "gradient_as_bucket_view = 1"), {"x.toml:5", "true or false"}},
    {"unknown_table",
     with_table("protocoll", "launches = 1"),
     {"x.toml:4", "unknown key 'protocoll'", "did you mean '[protocol]'"}},
    {"table_is_a_value",
     "name = \"n\"\narms = [\"raw\"]\nprotocol = 3\naxes.workload = [\"null\"]\n",
     {"x.toml:3", "protocol = 3", "a table"}},
    {"axis_at_the_top",
     "name = \"n\"\narms = [\"raw\"]\nnodes = [1]\naxes.workload = [\"null\"]\n",
     {"x.toml:3", "nodes = [1]", "belongs under [axes]"}},
    {"unknown_arm",
     with_arms("[\"raw\", \"trainr\"]"),
     {"x.toml:3", "arms = \"trainr\"", "unknown arm", "known: raw, raw_again", "did you mean 'trainer'"}},
    {"unknown_feature", with_arms("[\"raw\", \"trainer+bar\"]"), {"x.toml:3", "trainer+bar", "unknown feature 'bar'", "loops"}},
    {"feature_on_raw", with_arms("[\"raw\", \"raw_again+log\"]"), {"x.toml:3", "raw_again+log", "takes no features"}},
    {"feature_not_there", with_arms("[\"raw\", \"trainer-log\"]"), {"x.toml:3", "trainer-log", "no feature 'log'"}},
    {"no_reference", with_arms("[\"trainer\"]"), {"x.toml:3", "arms = [\"trainer\"]", "reference", "\"raw\""}},
    {"same_arm_twice", with_arms("[\"raw\", \"trainer\", \"trainer\"]"), {"x.toml:3", "arms = \"trainer\"", "same arm"}},
    {"same_arm_otherwise_written",
     with_arms("[\"raw\", \"trainer-loss-fetch\", \"trainer-fetch-loss\"]"),
     {"x.toml:3", "trainer-fetch-loss", "same arm as \"trainer-loss-fetch\""}},
    {"no_arms", with_arms("[]"), {"x.toml:3", "arms = []", "is empty"}},
    {"arms_no_list", with_arms("\"raw\""), {"x.toml:3", "arms = \"raw\"", "a list"}},
    {"arm_no_text", with_arms("[\"raw\", 3]"), {"x.toml:3", "arms = 3", "text in quotes"}},
    {"missing_name", "arms = [\"raw\"]\naxes.workload = [\"null\"]\n", {"x.toml", "name is missing"}},
    {"missing_arms", "name = \"n\"\naxes.workload = [\"null\"]\n", {"x.toml", "arms is missing", "known: raw"}},
    {"missing_workload",
     "name = \"n\"\narms = [\"raw\"]\n",
     {"x.toml", "axes.workload is missing", "known: null, convnet_cifar10"}},
    {"name_is_a_path",
     "name = \"../n\"\narms = [\"raw\"]\naxes.workload = [\"null\"]\n",
     {"x.toml:1", "name = \"../n\"", "letters, digits"}},
    {"name_is_empty", "name = \"\"\narms = [\"raw\"]\naxes.workload = [\"null\"]\n", {"x.toml:1", "name = \"\"", "letters"}},
    {"name_is_a_number", "name = 3\narms = [\"raw\"]\naxes.workload = [\"null\"]\n", {"x.toml:1", "name = 3", "text"}},
    {"axis_and_option",
     with_axis("stem = [\"cifar\"]\n[workload]\nstem = \"cifar\""),
     {"x.toml:7", "workload.stem", "under [axes] too"}},
    {"nothing_changes",
     with_arms("[\"raw\", \"trainer-loops+loops\"]"),
     {"x.toml:3", "trainer-loops+loops", "'loops' is added and taken away"}},
    {"minus_zero_is_zero",
     "name = \"n\"\narms = [\"raw\"]\n[axes]\nworkload = [\"mlp_cifar10\"]\nweight_decay = [-0.0, 0.0]\n",
     {"x.toml:5", "axes.weight_decay = 0", "given twice"}},
    {"deep_key", with_axis(repeated("a.", 40'000) + "a = 1"), {"x.toml:5", "more than 32 parts of one dotted key"}},
    {"not_toml", "name = \"n\"\narms = [\"raw\"\nfoo = = 3\n", {"x.toml:3", "not TOML", "\n  3 | foo = = 3"}},
    {"not_toml_twice", "name = \"n\"\nname = \"m\"\n", {"x.toml:2", "not TOML", "\n  2 | name = \"m\""}},
    {"not_toml_date", with_axis("nodes = [2979-05-27T\"m\"32:00Z]"), {"x.toml:5", "not TOML"}},
    {"not_text", "name = \"n\"\narms = \x01\xff\n", {"x.toml:2", "a control character (byte 1)"}},
    {"escapes_do_not_reach_the_terminal", with_axis("backend = [\"\\u001b[2J\"]"), {"x.toml:5", "unknown backend '?[2J'"}},
};

class BadExperiment : public testing::TestWithParam<Bad> {};

TEST_P(BadExperiment, IsToldOnceWithPlaceKeyValueAndWhatIsLegal) {
  const auto mistakes = mistakes_of(GetParam().toml);
  ASSERT_THAT(mistakes, SizeIs(1)) << testing::PrintToString(mistakes);
  for (const auto& part : GetParam().told) EXPECT_THAT(mistakes.front(), HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(Table, BadExperiment, testing::ValuesIn(kBad), [](const auto& bad) { return bad.param.what; });

std::string many_values(int count) {
  std::string list = "1";
  for (int i = 2; i <= count; ++i) list += ", " + std::to_string(i);
  return "[" + list + "]";
}

TEST(BadExperiments, EveryMistakeIsToldAtOnce) {
  const auto mistakes = mistakes_of("nam = \"n\"\narms = [\"row\"]\n[axes]\nnodes = [0]\n[protocol]\nseed = 1.5\n");
  EXPECT_THAT(mistakes,
              testing::UnorderedElementsAre(
                  HasSubstr("name is missing"), HasSubstr("x.toml:2: arms = \"row\""), HasSubstr("axes.workload is missing"),
                  HasSubstr("x.toml:4: axes.nodes = 0"), HasSubstr("x.toml:6: protocol.seed = 1.5"),
                  AllOf(HasSubstr("x.toml:1: nam = \"n\": unknown key 'nam'"), HasSubstr("did you mean 'name'"))));
}

TEST(BadExperiments, AProductTooLargeIsRefusedBeforeItIsMade) {
  const auto mistakes = mistakes_of(with_axis("nodes = " + many_values(1000) + "\nbatch_size_per_rank = " + many_values(1001)));
  EXPECT_THAT(mistakes, ElementsAre(AllOf(HasSubstr("1001000 cells"), HasSubstr("nodes 1000 * batch_size_per_rank 1001"),
                                          HasSubstr("1000000"))));
}

TEST(BadExperiments, ConstraintsOnManyCellsAreRefusedBeforeTheyAreAsked) {
  const auto sizes = "nodes = " + many_values(1000) + "\nbatch_size_per_rank = " + many_values(1000);
  const auto constraint = "\"" + repeated("nodes + ", 200) + "1 > 0\"";
  EXPECT_THAT(
      mistakes_of(with_axis(sizes + "\nconstraints = [" + constraint + "]")),
      ElementsAre(AllOf(HasSubstr("403 terms of constraints in 1000000 cells"), HasSubstr("at most 200000000 together"))));
}

TEST(BadExperiments, ArmsAreCounted) {
  EXPECT_THAT(mistakes_of(with_arms("[\"raw\"" + repeated(", \"trainer\"", 256) + "]")),
              ElementsAre(AllOf(HasSubstr("these are 257 arms"), HasSubstr("at most 256"))));
}

TEST(BadExperiments, AFileThatIsWrongAThousandTimesIsCutShort) {
  std::string axis = "nodes = [0";
  for (int i = 1; i < 1000; ++i) axis += ", -" + std::to_string(i);
  const auto mistakes = mistakes_of(with_axis(axis + "]"));
  ASSERT_THAT(mistakes, SizeIs(51));
  EXPECT_EQ(mistakes.back(), "… and 950 more");
}

TEST(BadExperiments, OverridesNameThemselves) {
  const auto sound = with_axis("");
  EXPECT_THAT(mistakes_of(sound, {{"backend=glooo"}, {}}),
              ElementsAre(AllOf(HasSubstr("--set backend=glooo"), HasSubstr("did you mean 'gloo'"))));
  EXPECT_THAT(mistakes_of(sound, {{"bakend=gloo"}, {}}),
              ElementsAre(AllOf(HasSubstr("--set bakend"), HasSubstr("unknown key"), HasSubstr("'backend'"))));
  EXPECT_THAT(mistakes_of(sound, {{"amp=fp32"}, {}}),
              ElementsAre(HasSubstr("unknown key 'amp'; did you mean 'precision=fp32'?")));
  EXPECT_THAT(mistakes_of(sound, {{"backend"}, {}}), ElementsAre(AllOf(HasSubstr("--set backend"), HasSubstr("key=value"))));
  EXPECT_THAT(mistakes_of(sound, {{"=gloo"}, {}}), ElementsAre(HasSubstr("key=value")));
  EXPECT_THAT(mistakes_of(sound, {{"backend="}, {}}), ElementsAre(HasSubstr("key=value")));
  EXPECT_THAT(mistakes_of(sound, {{"nodes=1,"}, {}}),
              ElementsAre(AllOf(HasSubstr("--set nodes=1,"), HasSubstr("from 1 to 100000"))));
  EXPECT_THAT(mistakes_of(sound, {{"nodes=1e3"}, {}}), ElementsAre(HasSubstr("an integer")));
  for (const auto* text : {"010", "+1", "99999999999999999999999", "-0x1"}) {
    EXPECT_THAT(mistakes_of(sound, {{"nodes=" + std::string(text)}, {}}), ElementsAre(HasSubstr("an integer from 1")));
  }
  EXPECT_THAT(mistakes_of(sound, {{"margin_us=nan"}, {}}), ElementsAre(HasSubstr("a number from")));
  EXPECT_THAT(mistakes_of(sound, {{"nodes=1", "nodes=2"}, {}}), ElementsAre(HasSubstr("set twice")));
  EXPECT_THAT(mistakes_of(sound, {{"constraints=x"}, {}}), ElementsAre(HasSubstr("--constraint")));
  EXPECT_THAT(mistakes_of(sound, {{}, {"nodes <"}}), ElementsAre(AllOf(HasSubstr("--constraint"), HasSubstr("missing here"))));
}

}  // namespace
}  // namespace ddpbench
