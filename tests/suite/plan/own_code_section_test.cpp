#include "suite/plan/own_code_section.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "suite/base/errors.hpp"
#include "suite/plan/experiment.hpp"
#include "suite/plan/plan.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;

class OwnCodeTest : public testing::Test {
 protected:
  OwnCodeTest() {
    std::ofstream(folder_ / "net.py") << "class Net: ...\n";
    tables_.workloads.push_back(test::entry<WorkloadEntry>(kModuleWorkload));
  }

  std::string origin() const { return folder_ / "mine.toml"; }
  std::string located() const { return folder_ / "net.py" + ":Net"; }

  Experiment parsed(const std::string& arms, const std::string& modules, const std::string& axes = "") const {
    return parse_experiment("name = \"n\"\narms = [" + arms + "]\n[axes]\n" + axes + "\n[modules]\n" + modules + "\n", origin(),
                            tables_);
  }
  std::vector<std::string> mistakes(const std::string& arms, const std::string& modules) const {
    try {
      parsed(arms, modules);
    } catch (const UsageError& error) {
      return error.messages();
    }
    return {};
  }
  std::string mistake(const std::string& arms, const std::string& modules) const { return mistakes(arms, modules).at(0); }

  ScratchFolder folder_;
  Vocabulary tables_ = test::two_family_vocabulary();
};

TEST_F(OwnCodeTest, AFileIsFoundBesideTheExperiment) {
  EXPECT_EQ(located_code(kOwnCodeKinds.front(), "net.py:Net", origin()), located());
  EXPECT_EQ(located_code(kOwnCodeKinds.front(), located(), "/elsewhere/x.toml"), located());
  for (const char* text : {"net.py", "net:Net", "net.py:", "net.py:a b", ":Net"}) {
    EXPECT_THAT([&] { located_code(kOwnCodeKinds.front(), text, origin()); },
                ThrowsMessage<UsageError>(HasSubstr("must be \"FILE.py:Class\"")))
        << text;
  }
  EXPECT_THAT([&] { located_code(kOwnCodeKinds.front(), "no.py:Net", origin()); },
              ThrowsMessage<UsageError>(HasSubstr("no.py: must be a file of Python")));
}

TEST_F(OwnCodeTest, ArmsThatAllTrainModulesNeedNoWorkload) {
  const auto experiment = parsed(R"("py_raw=mine", "py_lightning=mine")", "mine = \"net.py:Net\"");
  EXPECT_THAT(experiment.own_code, ElementsAre(Pair(kModuleFeature, ElementsAre(Pair("mine", located())))));
  EXPECT_THAT(experiment.axes.front().values, ElementsAre(kModuleWorkload));
  EXPECT_EQ(parse_experiment(to_toml(experiment), "/elsewhere/again.toml", tables_), experiment);
  for (const auto& launch : make_plan(experiment, tables_, {}).launches) {
    EXPECT_EQ(launch.spec.own_code, experiment.own_code);
  }
}

TEST_F(OwnCodeTest, ALoopIsASectionOfItsOwnAndTrainsTheWorkloadsModel) {
  tables_ = test::vocabulary_with_own_code();
  const std::string text = "name = \"n\"\narms = [\"py_raw\", \"py_loop=mine\"]\n[axes]\nworkload = [\"null\"]\n[loops]\n";
  const auto experiment = parse_experiment(text + "mine = \"net.py:Net\"\n", origin(), tables_);
  EXPECT_THAT(experiment.own_code, ElementsAre(Pair(kLoopFeature, ElementsAre(Pair("mine", located())))));
  EXPECT_EQ(parse_experiment(to_toml(experiment), "/elsewhere/again.toml", tables_), experiment);
  const auto refused = [&](const std::string& loops, const char* why) {
    EXPECT_THAT([&] { parse_experiment(text + loops, origin(), tables_); }, ThrowsMessage<UsageError>(HasSubstr(why))) << loops;
  };
  refused("mine = \"net.py\"\n",
          "loops.mine = \"net.py\": must be \"FILE.py:function\", a file of Python and a function in it that trains");
  refused("other = \"net.py:Net\"\n", "\"py_loop=mine\": no loop 'mine' (known: other)");
  refused("", "no loop 'mine' (known: none: write [loops] with mine = \"FILE.py:function\")");
}

TEST_F(OwnCodeTest, ALoaderIsASectionOfItsOwnBesideOthers) {
  tables_ = test::vocabulary_with_own_code();
  const std::string text =
      "name = \"n\"\narms = [\"py_raw+loader=its\", \"py_loop=mine+loader=its\"]\n[axes]\nworkload = [\"null\"]\n"
      "[loops]\nmine = \"net.py:Net\"\n";
  const auto experiment = parse_experiment(text + "[loaders]\nits = \"net.py:Net\"\n", origin(), tables_);
  EXPECT_THAT(experiment.own_code, ElementsAre(Pair(kLoaderFeature, ElementsAre(Pair("its", located()))),
                                               Pair(kLoopFeature, ElementsAre(Pair("mine", located())))));
  EXPECT_EQ(parse_experiment(to_toml(experiment), "/elsewhere/again.toml", tables_), experiment);
  EXPECT_THAT([&] { parse_experiment(text, origin(), tables_); },
              ThrowsMessage<UsageError>(HasSubstr("no loader 'its' (known: none: write [loaders] with its = ")));
}

TEST_F(OwnCodeTest, MistakesSayWhatIsLegal) {
  EXPECT_THAT(mistake(R"("py_raw=other", "py_raw=mine")", "mine = \"net.py:Net\""), HasSubstr("no module 'other' (known: mine)"));
  EXPECT_THAT(mistake(R"("py_raw=mine")", ""), HasSubstr("known: none: write [modules] with mine = \"FILE.py:Class\""));
  EXPECT_THAT(mistakes(R"("py_raw=mine", "py_lightning=mine")", "mine = \"nett.py:Net\""),
              ElementsAre(HasSubstr("modules.mine")));
  EXPECT_THAT(mistakes(R"("py_raw=mine", "py_raw=mine+log")", "mine = \"net.py:Net\""),
              ElementsAre(HasSubstr("arm 'py_raw' takes no feature 'log'")));
  EXPECT_THAT(mistake(R"("py_lightning=mine")", "mine = \"net.py:Net\""),
              HasSubstr("the reference arm \"py_raw=mine\" is missing: \"py_lightning=mine\" is compared with it"));
  EXPECT_THAT(mistake(R"("py_raw=mine")", "mine = \"net.py:Net\"\nmy-net = \"net.py:Net\""),
              HasSubstr("a module's name must be letters, digits and '_'"));
}

}  // namespace
}  // namespace ddpbench
