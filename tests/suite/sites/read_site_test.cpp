#include "suite/sites/read_site.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "suite/base/errors.hpp"
#include "tests/support/script_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kWhole = R"(
description  = "a cluster"
batch_system = "slurm"
launcher     = "srun"
account      = "--account={account}@gpu"
resources    = ["--nodes={nodes}", "--gres=gpu:{node_gpus}"]
setup        = ["module purge"]
[node]
gpus   = 4
gpu_sm = 70
[limits]
hours = 20
[price]
gpu_hour = 1.5
unit     = "EUR"
[[qos]]
name  = "dev"
hours = 2
gpus  = 32
jobs  = 10
[[qos]]
name = "long"
)";

std::string without(const std::string& line) {
  auto text = kWhole;
  const auto begin = text.find(line);
  return begin == std::string::npos ? text : text.erase(begin, text.find('\n', begin) + 1 - begin);
}

std::string mistakes_in(const std::string& text) {
  try {
    read_site(text, "mine.toml");
    return "";
  } catch (const UsageError& error) {
    std::string all;
    for (const auto& message : error.messages()) all += message + "\n";
    return all;
  }
}

TEST(ReadSite, TakesWhatTheFileSays) {
  const auto site = read_site(kWhole, "sites/mine.toml");
  EXPECT_EQ(site.name, "mine");
  EXPECT_EQ(site.launcher, "srun");
  EXPECT_THAT(site.resources, ElementsAre("--nodes={nodes}", "--gres=gpu:{node_gpus}"));
  EXPECT_EQ(site.node_gpus, 4);
  EXPECT_EQ(site.gpu_sm, 70);
  EXPECT_EQ(site.node_cores, 0);
  EXPECT_EQ(site.most_hours, 20);
  EXPECT_EQ(site.price_per_gpu_hour, 1.5);
  ASSERT_EQ(site.qualities.size(), 2U);
  EXPECT_EQ(site.qualities[0].name, "dev");
  EXPECT_EQ(site.qualities[0].gpus, 32);
  EXPECT_EQ(site.qualities[0].jobs, 10);
  EXPECT_EQ(site.qualities[1].hours, 0);
}

TEST(ReadSite, NamesAllMistakesAtOnce) {
  const auto told = mistakes_in(without("launcher") + "colour = \"red\"\nnode2 = 3\nqos = 1\n");
  EXPECT_THAT(told, AllOf(HasSubstr("mine.toml: launcher: is missing"), HasSubstr("qos.colour"), HasSubstr("qos.node2"),
                          HasSubstr("qos.qos")))
      << "keys below [[qos]] are its own";
}

TEST(ReadSite, GuessesWhatWasMeant) {
  EXPECT_THAT(mistakes_in("discription = \"x\"\n" + without("description")), HasSubstr("did you mean 'description'?"));
  auto text = kWhole;
  text.replace(text.find("gpu_sm"), 6, "gpu_cc");
  EXPECT_THAT(mistakes_in(text), HasSubstr("node.gpu_cc: is no key of a site"));
}

TEST(ReadSite, RefusesValuesOfAnotherType) {
  auto text = kWhole;
  text.replace(text.find("gpus   = 4"), 10, "gpus = \"4\"");
  EXPECT_THAT(mistakes_in(text), HasSubstr("node.gpus: must be a whole number, 0 or more"));
  EXPECT_THAT(mistakes_in("data = [\"a\"]\n" + kWhole), HasSubstr("data: must be text"));
  EXPECT_THAT(mistakes_in("directives = \"-q gpu\"\n" + kWhole), HasSubstr("directives: must be a list of texts"));
  EXPECT_THAT(mistakes_in("directives = [1]\n" + kWhole), HasSubstr("directives: must be a list of texts"));
  auto negative = kWhole;
  negative.replace(negative.find("hours = 20"), 10, "hours = -1");
  EXPECT_THAT(mistakes_in(negative), HasSubstr("limits.hours: must be a whole number, 0 or more"));
}

TEST(ReadSite, RefusesBatchSystemsAndPlaceholdersThatAreNotThere) {
  auto text = kWhole;
  text.replace(text.find("\"slurm\""), 7, "\"lsf\"");
  EXPECT_THAT(mistakes_in(text), HasSubstr("batch_system: 'lsf': must be slurm, pbs"));
  EXPECT_THAT(mistakes_in("directives = [\"--nodes={node}\"]\n" + kWhole), HasSubstr("{node} is not known (known: nodes, "));
  EXPECT_THAT(mistakes_in("directives = [\"--nodes={nodes\"]\n" + kWhole), HasSubstr("is not known"));
  EXPECT_THAT(mistakes_in(without("account ") + ""), IsEmpty()) << "nobody need pay";
}

// It would begin a line of the script: a command.
TEST(ReadSite, RefusesOptionsOfSeveralLines) {
  EXPECT_THAT(mistakes_in("directives = [\"-q gpu\\nrm -r .\"]\n" + kWhole), HasSubstr("must be a single line"));
  auto text = kWhole;
  text.replace(text.find("{account}@gpu"), 13, "{account}\\n@gpu");
  EXPECT_THAT(mistakes_in(text), HasSubstr("must be a single line"));
  const auto quality = kWhole + "[[qos]]\nname = \"a\\ntouch X\"\n";
  EXPECT_THAT(mistakes_in(quality), HasSubstr("mine.toml: qos.name: 'a?touch X': must be a single line"));
  for (const std::string key : {"setup = [", "collect = [", "resources = [", "data = ", "launcher = "}) {
    const auto name = key.substr(0, key.find(' '));
    const auto line = key + "\"a\\u2028b\"" + (key.ends_with('[') ? "]" : "") + "\n";
    EXPECT_THAT(mistakes_in(line + without(name + " ")), HasSubstr("mine.toml: " + name + ": 'a?b': must be a single line"));
  }
}

TEST(ReadSite, TellsTheLineOfASyntaxError) { EXPECT_THAT(mistakes_in("description = \n"), HasSubstr("mine.toml:1: not TOML")); }

TEST(FindSite, IsByNameOrFile) {
  const test::ScriptFolder folder;
  const auto path = folder.write("other.toml", kWhole);
  EXPECT_THAT(site_names(folder.path()), ElementsAre("other"));
  EXPECT_EQ(find_site("other", folder.path()).origin, path);
  EXPECT_EQ(find_site(path, "/nowhere").name, "other");
  try {
    find_site("othr", folder.path());
    FAIL() << "found";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("must be a TOML file or one of other; did you mean 'other'?"));
  }
}

TEST(Sites, ThatAreShippedCanBeRead) {
  const auto folder = std::filesystem::path(DDPBENCH_SHARE_DIR) / "sites";
  const auto names = site_names(folder);
  EXPECT_THAT(names, Not(IsEmpty()));
  for (const auto& name : names) EXPECT_NO_THROW(find_site(name, folder)) << name;
}

TEST(SiteSchema, IsInTheReadme) {
  std::ostringstream readme;
  readme << std::ifstream(DDPBENCH_SLURM_README).rdbuf();
  std::istringstream lines(site_schema_text());
  for (std::string line; std::getline(lines, line);) {
    const auto key = line.substr(0, line.find(':'));
    EXPECT_THAT(readme.str(), HasSubstr("`" + key.substr(key.find('.') + 1) + "`")) << key;
  }
  for (const auto& placeholder : placeholders())
    EXPECT_THAT(readme.str(), HasSubstr("`{" + std::string(placeholder.name) + "}`"));
}

TEST(SiteSchema, NamesEveryKey) {
  const auto text = site_schema_text();
  EXPECT_THAT(text, HasSubstr("node.gpus: a whole number, 0 or more, required: GPUs of a node"));
  EXPECT_THAT(text, HasSubstr("qos.name: text, required"));
}

}  // namespace
}  // namespace ddpbench
