#include "suite/store/joined_folders.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "tests/suite/store/sample_launch.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr const char* kJoinedToml = "name = \"x\"\n";

struct JoinedFoldersTest : ::testing::Test {
  ScratchFolder scratch;

  // Plans some launches; those of `ran` have results.
  ResultsFolder folder(const std::string& name, const std::vector<std::string>& planned, const std::vector<std::string>& ran,
                       const Json& environment = Json::object()) {
    std::vector<PlanRow> plan;
    for (const auto& id : planned) plan.push_back(sample_plan_row(sample_spec(id)));
    auto made = ResultsFolder::create(scratch / name, kJoinedToml, plan, environment);
    for (const auto& id : ran) made.commit(sample_result(sample_spec(id), 2));
    return made;
  }
};

template <class Row>
std::vector<std::string> ids_in(const std::vector<Row>& rows) {
  std::vector<std::string> ids;
  for (const auto& row : rows) {
    if (ids.empty() || ids.back() != row.launch_id) ids.push_back(row.launch_id);
  }
  return ids;
}

TEST_F(JoinedFoldersTest, OneFolderStaysAsItIs) {
  const Json environment{{"torch", "2"}, {"launches", {{"a", {{"load", 1}}}}}};
  const JoinedFolders joined(folder("one", {"a", "b"}, {"a"}, environment));
  EXPECT_THAT(ids_in(joined.plan()), ElementsAre("a", "b"));
  EXPECT_EQ(joined.environment(), joined.folders().front().environment());
}

TEST_F(JoinedFoldersTest, LaunchesOfDifferentJobsStandBesideEachOther) {
  const JoinedFolders joined({folder("one", {"a"}, {"a"}), folder("two", {"b"}, {"b"})}, kJoinedToml);
  EXPECT_THAT(ids_in(joined.plan()), ElementsAre("a", "b"));
  EXPECT_THAT(ids_in(joined.runs()), ElementsAre("a", "b"));
  EXPECT_THAT(ids_in(joined.metrics()), ElementsAre("a", "b"));
}

TEST_F(JoinedFoldersTest, ALaunchThatRanTwiceIsTwoLaunches) {
  const JoinedFolders joined({folder("one", {"a"}, {"a"}), folder("two", {"a"}, {"a"})}, kJoinedToml);
  EXPECT_THAT(ids_in(joined.plan()), ElementsAre("a", "a-2"));
  EXPECT_THAT(ids_in(joined.runs()), ElementsAre("a", "a-2"));
  EXPECT_EQ(joined.id_of(0, "a"), "a");
  EXPECT_EQ(joined.id_of(1, "a"), "a-2");
}

TEST_F(JoinedFoldersTest, NoRepetitionOfAJobIsOneOfAnother) {
  const JoinedFolders joined({folder("one", {"a"}, {"a"}), folder("two", {"a", "b"}, {"a", "b"})}, kJoinedToml);
  std::map<std::string, std::int64_t> repetitions;
  for (const auto& run : joined.runs()) repetitions[run.launch_id] = run.repetition;
  EXPECT_EQ(repetitions, (std::map<std::string, std::int64_t>{{"a", 0}, {"a-2", 1}, {"b", 1}})) << "b ran beside a-2";
}

// Two jobs of one plan, each with a share of it.
TEST_F(JoinedFoldersTest, ALaunchThatRanInOneFolderIsThatOne) {
  const JoinedFolders joined({folder("one", {"a", "b", "c"}, {"a"}), folder("two", {"a", "b", "c"}, {"b"})}, kJoinedToml);
  EXPECT_THAT(ids_in(joined.plan()), ElementsAre("a", "c", "b"));
  EXPECT_EQ(joined.id_of(1, "a"), "");
  EXPECT_EQ(joined.id_of(1, "c"), "") << "it is planned once";
}

TEST_F(JoinedFoldersTest, WhatAllFoldersSayStandsOnceAndWhatDiffersIsAFactOfTheLaunches) {
  const auto environment = [](const std::string& torch, const std::string& id) {
    return Json{{"torch", torch},
                {"cpu_model", "x"},
                {"command_line", "run of " + id},
                {"variables", {{"OMP_NUM_THREADS", torch}, {"LANG", "C"}}},
                {"launches", {{id, {{"load", 1.5}}}}}};
  };
  const JoinedFolders joined(
      {folder("one", {"a"}, {"a"}, environment("2.11", "a")), folder("two", {"b"}, {"b"}, environment("2.12", "b"))},
      kJoinedToml);
  const auto whole = joined.environment();
  EXPECT_EQ(whole.at("cpu_model"), "x");
  EXPECT_EQ(whole.at("torch"), (Json{{"one", "2.11"}, {"two", "2.12"}}));
  EXPECT_EQ(whole.at("launches").at("b"), (Json{{"load", 1.5}, {"$OMP_NUM_THREADS", "2.12"}, {"job", "two"}, {"torch", "2.12"}}));
  EXPECT_EQ(whole.at("schema_version"), joined.folders().front().environment().at("schema_version"));
}

TEST_F(JoinedFoldersTest, AFolderWithoutFactsOfItsLaunchesTellsOfThemAll) {
  const auto one = folder("one", {"a"}, {"a"}, {{"torch", "2.5"}, {"cores", 64}, {"data_origin", {{"cifar10", "real"}}}});
  const auto two =
      folder("two", {"b", "c"}, {"b"}, {{"torch", "2.11"}, {"cores", 2}, {"data_origin", {{"cifar10", "generated"}}}});
  const auto whole = JoinedFolders({one, two}, kJoinedToml).environment();
  EXPECT_EQ(whole.at("launches").at("a").at("torch"), "2.5");
  EXPECT_EQ(whole.at("launches").at("b").at("data_origin"), "{\"cifar10\":\"generated\"}");
  EXPECT_FALSE(whole.at("launches").contains("c")) << "it never ran";
  EXPECT_EQ(whole.at("cores"), 2) << "what holds on every host";
}

TEST_F(JoinedFoldersTest, WhatALaunchSaysItselfCountsMoreThanItsFolder) {
  const auto environment = [](const std::string& id, const std::string& torch) {
    return Json{{"torch", torch}, {"launches", {{id, {{"torch", "its own"}}}}}};
  };
  const JoinedFolders joined(
      {folder("one", {"a"}, {"a"}, environment("a", "1")), folder("two", {"b"}, {"b"}, environment("b", "2"))}, kJoinedToml);
  EXPECT_EQ(joined.environment().at("launches").at("a").at("torch"), "its own");
}

TEST_F(JoinedFoldersTest, BuildsThatKnowOtherArmsAreNoStudy) {
  const JoinedFolders joined(
      {folder("one", {"a"}, {}, {{"arms", {"raw"}}}), folder("two", {"b"}, {}, {{"arms", {"raw", "new"}}})}, kJoinedToml);
  try {
    joined.environment();
    FAIL() << "joined";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("builds of ddpbench whose tables of arms differ (one, two)"));
  }
}

TEST_F(JoinedFoldersTest, WhatOnlyOneBuildKnowsOrSaysOtherwiseIsNoDifference) {
  const Json older{{"workloads", {{{"name", "null"}, {"help", "short"}, {"epoch_samples", 50}}}}};
  const Json newer{
      {"workloads", {{{"name", "null"}, {"help", "in other words"}, {"epoch_samples", 50}}, {{"name", "new"}, {"help", "n"}}}}};
  const auto joined =
      JoinedFolders({folder("one", {"a"}, {}, older), folder("two", {"b"}, {}, newer)}, kJoinedToml).environment();
  ASSERT_EQ(joined.at("workloads").size(), 2U);
  EXPECT_EQ(joined.at("workloads").at(0), older.at("workloads").at(0));
  EXPECT_EQ(joined.at("workloads").at(1).at("name"), "new");
}

TEST_F(JoinedFoldersTest, ANameThatIsSomethingElseIsNoStudy) {
  const auto on = [](const char* device) { return Json{{"backends", {{{"name", "mpi"}, {"help", ""}, {"device", device}}}}}; };
  const JoinedFolders joined({folder("one", {"a"}, {}, on("cpu")), folder("two", {"b"}, {}, on("cuda"))}, kJoinedToml);
  EXPECT_THAT([&] { joined.environment(); },
              testing::ThrowsMessage<UsageError>(HasSubstr("\"mpi\" of backends is something else in two")));
}

TEST_F(JoinedFoldersTest, FoldersOfOneNameAreToldApartByTheirPaths) {
  std::filesystem::create_directories(scratch / "x");
  std::filesystem::create_directories(scratch / "y");
  const JoinedFolders joined(
      {folder("x/same", {"a"}, {}, {{"hostname", "h1"}}), folder("y/same", {"b"}, {}, {{"hostname", "h2"}})}, kJoinedToml);
  EXPECT_EQ(joined.environment().at("hostname"), (Json{{scratch / "x/same", "h1"}, {scratch / "y/same", "h2"}}));
}

}  // namespace
}  // namespace ddpbench
