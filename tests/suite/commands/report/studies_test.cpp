#include "suite/commands/report/studies.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "suite/runs/submission.hpp"
#include "suite/store/results_folder.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct StudiesTest : ::testing::Test {
  ScratchFolder scratch;

  std::string results(const std::string& name, const std::string& experiment = "scaling") {
    const auto path = scratch / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ResultsFolder::create(path, "name = \"" + experiment + "\"\n", {}, nlohmann::ordered_json::object());
    return path;
  }
};

TEST_F(StudiesTest, OneFolderIsReportedInIt) {
  const auto a = results("a");
  const auto studies = studies_of({a}, "");
  ASSERT_EQ(studies.size(), 1U);
  EXPECT_EQ(studies[0].out, a);
  EXPECT_EQ(studies[0].told, "");
  EXPECT_EQ(studies_of({a}, "elsewhere")[0].out, "elsewhere");
}

TEST_F(StudiesTest, FoldersOfOneExperimentAreOneStudyBesideThem) {
  const auto a = results("a"), b = results("b");
  const auto studies = studies_of({a, b, a + "/"}, "");
  ASSERT_EQ(studies.size(), 1U);
  EXPECT_THAT(studies[0].folders, ElementsAre(a, b));
  EXPECT_EQ(studies[0].out, scratch / "scaling-study");
  EXPECT_EQ(studies[0].told, "one study of 2 folders: " + a + ", " + b);
}

TEST_F(StudiesTest, OtherExperimentsGetAReportEach) {
  const auto a = results("a"), b = results("b", "overhead");
  const auto studies = studies_of({a, b}, "out");
  ASSERT_EQ(studies.size(), 2U);
  EXPECT_EQ(studies[1].out, "out/b");
  EXPECT_EQ(studies[1].told,
            "a report of its own, for it is not the same experiment: name is 'scaling' in " + a + " and 'overhead' in " + b);
}

TEST_F(StudiesTest, ReportsOfOneNameHaveNoPlaceOfTheirOwn) {
  const auto a = results("x/same"), b = results("y/same", "overhead");
  EXPECT_EQ(studies_of({a, b}, "").size(), 2U);
  EXPECT_THROW(studies_of({a, b}, "out"), UsageError);
}

TEST_F(StudiesTest, ASubmissionStandsForItsJobsThatHaveBegun) {
  std::filesystem::create_directories(scratch / "jobs");
  Submission submission;
  submission.jobs = {{"nodes-1", "7", 2}, {"nodes-2", "8", 2}, {"nodes-4", "9", 4, 2}};
  submission.price_per_gpu_hour = 1.5;
  submission.price_unit = "EUR";
  write_submission(scratch / "jobs", submission);
  EXPECT_THROW(studies_of({scratch / "jobs"}, ""), UsageError);
  const auto one = results("jobs/results-nodes-1"), two = results("jobs/results-nodes-2");
  const auto task = results("jobs/results-nodes-4-2");
  const auto studies = studies_of({scratch / "jobs"}, "");
  ASSERT_EQ(studies.size(), 1U);
  EXPECT_THAT(studies[0].folders, ElementsAre(one, two, task)) << "nodes-4 is an array of two";
  EXPECT_EQ(studies[0].out, scratch / "jobs/report");
  EXPECT_EQ(studies[0].price_per_gpu_hour, 1.5);
  EXPECT_EQ(studies[0].price_unit, "EUR");
}

TEST_F(StudiesTest, ALinkToAFolderIsThatFolder) {
  const auto a = results("a");
  std::filesystem::create_directory_symlink(a, scratch / "link");
  EXPECT_THAT(studies_of({a, scratch / "link"}, "").at(0).folders, ElementsAre(a));
}

// The second call of `report results/scaling-*`.
TEST_F(StudiesTest, AReportAmongTheFoldersIsLeftOut) {
  const auto a = results("a"), b = results("b"), study = results("scaling-study");
  std::filesystem::remove(study + "/steps.csv.gz");
  std::ofstream(study + "/overhead.csv") << "of an earlier call";
  const auto studies = studies_of({a, b, study}, "");
  ASSERT_EQ(studies.size(), 1U);
  EXPECT_THAT(studies[0].folders, ElementsAre(a, b));
  EXPECT_THAT(studies[0].told, HasSubstr(study + " is left out: it is a report, without samples"));
  EXPECT_THROW(studies_of({study}, ""), UsageError);
}

TEST_F(StudiesTest, OfASubmissionWhatCanBeReadIsReported) {
  std::filesystem::create_directories(scratch / "jobs");
  Submission submission;
  submission.jobs = {{"all", "7", 6, 3}};
  write_submission(scratch / "jobs", submission);
  const auto one = results("jobs/results-all-1"), torn = results("jobs/results-all-2");
  std::ofstream(torn + "/environment.json") << "{";
  const auto folder = scratch / "jobs";
  const auto studies = studies_of({folder, folder + "/"}, "");
  ASSERT_EQ(studies.size(), 1U);
  EXPECT_THAT(studies[0].folders, ElementsAre(one));
  EXPECT_EQ(studies[0].out, folder + "/report") << "given twice, it is one submission all the same";
  EXPECT_THAT(studies[0].told, HasSubstr(torn + " is left out: "));
  EXPECT_THAT(studies[0].told, HasSubstr("results-all-3 is left out: its job has not begun to measure"));
}

TEST_F(StudiesTest, WhatIsNoResultsFolderIsNamed) {
  try {
    studies_of({scratch.path()}, "");
    FAIL() << "taken";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr(scratch.path()));
  }
}

}  // namespace
}  // namespace ddpbench
