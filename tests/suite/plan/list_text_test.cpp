#include "suite/plan/list_text.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "suite/base/errors.hpp"
#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ListText : public testing::Test {
 protected:
  Vocabulary vocabulary_ = test::test_vocabulary();
  Availability availability_{.why_not = {{"strategy", {{"ddp", "no network"}}}}, .probed = true};
  ListSources sources_{
      vocabulary_, availability_, {{"local", "starts ranks here", ""}, {"srun", "Slurm", "srun is not in PATH"}}, {}};
};

TEST_F(ListText, ASectionTellsWhatItsEntriesAre) {
  const std::vector<std::pair<const char*, const char*>> entries{{"arms", "raw_again"},
                                                                 {"features", "loops"},
                                                                 {"strategies", "single"},
                                                                 {"backends", "gloo"},
                                                                 {"workloads", "resnet50_cifar10"},
                                                                 {"precisions", "fp32"},
                                                                 {"launchers", "local"},
                                                                 {"metrics", "step_s"}};
  for (const auto& [section, name] : entries)
    EXPECT_THAT(list_text(sources_, section),
                AllOf(HasSubstr(std::string(section) + ": "), HasSubstr(std::string("\n  ") + name + " ")));
  EXPECT_THAT(list_text(sources_, "sites"), HasSubstr("(none)"));
  EXPECT_THAT(list_text(sources_, "arms"), HasSubstr("features: loops, fetch, loss"));
  EXPECT_THAT(list_text(sources_, "metrics"), HasSubstr("[s]"));
}

// What fits on a screen: whoever asks for no section wants to know what there is.
TEST_F(ListText, WithoutASectionNamesAloneAndWhyNot) {
  const auto text = list_text(sources_, "");
  for (const auto& section : list_sections()) EXPECT_THAT(text, HasSubstr(section + ": "));
  EXPECT_THAT(text, AllOf(HasSubstr("\n  local\n"), HasSubstr("\n  srun  -- srun is not in PATH\n"), HasSubstr("gloo"),
                          HasSubstr("  none\n"), HasSubstr("`ddpbench list SECTION`"), Not(HasSubstr("starts ranks here"))));
  for (int i = 0; i < 40; ++i) sources_.tables.push_back({"table" + std::to_string(i), "", ""});
  EXPECT_THAT(list_text(sources_, ""), HasSubstr("\n  40 of them\n"));
}

TEST_F(ListText, SaysWhyNotHere) {
  EXPECT_THAT(list_text(sources_, "backends"), AllOf(HasSubstr("not built: no CUDA at build time"), Not(HasSubstr("srun"))));
  EXPECT_THAT(list_text(sources_, "strategies"), HasSubstr("not available here: no network"));
  EXPECT_THAT(list_text(sources_, "launchers"), HasSubstr("srun is not in PATH"));
}

TEST_F(ListText, AnArmsRoleAndFamilyAreShown) {
  vocabulary_ = test::two_family_vocabulary();
  EXPECT_THAT(list_text(sources_, "arms"),
              AllOf(HasSubstr("(role: reference)"), HasSubstr("(reference: py_raw) (program: python)")));
  EXPECT_THAT(list_text(sources_, "features"),
              AllOf(HasSubstr("(value: an integer from 1 to 1000, by default 10)"), HasSubstr("(bundle: logger=50, bar, clip)"),
                    HasSubstr("(excludes: logger)"), HasSubstr("(without_makes: probe)")));
  const auto json = list_json(sources_, "arms");
  EXPECT_EQ(json["arms"][0]["role"], "reference");
  EXPECT_EQ(json["arms"].back()["reference"], "py_raw");
}

TEST_F(ListText, ShowsOptionsWithDefaultsAndLegalValues) {
  EXPECT_THAT(list_text(sources_, "workloads"), HasSubstr("stem = cifar   a choice (text in quotes, one of imagenet, cifar)"));
  EXPECT_THAT(list_text(sources_, "strategies"),
              HasSubstr("bucket_cap_mb = 25   gradients per bucket, MiB (a number from 0.1 to 1000)"));
}

TEST_F(ListText, SaysWhereNobodyLooked) {
  EXPECT_THAT(list_text(sources_, ""), Not(HasSubstr("not probed")));
  availability_.probed = false;
  EXPECT_THAT(list_text(sources_, "backends"), HasSubstr("not probed"));
  EXPECT_TRUE(list_json(sources_, "backends")["backends"][0]["available"].is_null());
  EXPECT_EQ(list_json(sources_, "backends")["backends"][1]["available"], false) << "not built is known without a probe";
}

TEST_F(ListText, JsonHoldsTheSame) {
  const auto json = list_json(sources_, "");
  EXPECT_EQ(json["probed"], true);
  EXPECT_EQ(json["backends"][0]["available"], true);
  EXPECT_EQ(json["strategies"][1]["why_not"], "not available here: no network");
  EXPECT_EQ(json["workloads"][3]["options"][0]["values"], (std::vector<std::string>{"imagenet", "cifar"}));
  EXPECT_EQ(json["metrics"][0]["unit"], "s");
  EXPECT_EQ(json["launchers"].size(), 2U);
  EXPECT_TRUE(json["sites"].empty());
  EXPECT_EQ(list_json(sources_, "arms").size(), 2U);
}

TEST_F(ListText, AnUnknownListNamesTheLegalOnes) {
  try {
    list_text(sources_, "backend");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("unknown list 'backend'"), HasSubstr("strategies"), HasSubstr("did you mean 'backends'")));
  }
}

}  // namespace
}  // namespace ddpbench
