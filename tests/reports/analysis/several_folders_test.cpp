#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

struct SeveralFolders : AnalysedRun {
  static SyntheticLaunch launch(const std::string& id, double cost_us) {
    SyntheticLaunch one;
    one.launch_id = id;
    one.noise = 0.01;
    one.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", cost_us}, {"injected", 100}};
    return one;
  }
  std::string overhead_of(const JoinedFolders& folders, const std::string& out) {
    analyse(folders, out);
    return read_file(out + "/overhead.csv");
  }
};

TEST_F(SeveralFolders, SayWhatOneWithAllTheirLaunchesSays) {
  const auto first = launch("L1", 5), second = launch("L2", 9);
  const auto whole = synthetic_folder(scratch_ / "whole", {first, second});
  const auto one = synthetic_folder(scratch_ / "one", {first}), two = synthetic_folder(scratch_ / "two", {second});
  EXPECT_EQ(overhead_of({{one, two}, one.experiment_toml()}, scratch_ / "joined"),
            overhead_of(JoinedFolders(whole), whole.path()));
}

TEST_F(SeveralFolders, WithTheSameLaunchHaveItTwice) {
  auto later = launch("L1", 9);
  later.started_utc = "2026-01-02T00:00:00Z";
  const auto one = synthetic_folder(scratch_ / "one", {launch("L1", 5)}), two = synthetic_folder(scratch_ / "two", {later});
  const auto result = analyse({{one, two}, one.experiment_toml()}, scratch_ / "joined");
  const auto& row = find(result, "trainer", "thread_cpu");
  EXPECT_EQ(row.launches, 2);
  EXPECT_NEAR(row.overhead_us.value, 7, 0.5);
}

// An unpacked archive beside its folder: it would make every interval too narrow.
TEST_F(SeveralFolders, OfWhichOneIsACopyHaveItsLaunchesOnce) {
  const auto one = synthetic_folder(scratch_ / "one", {launch("L1", 5)}),
             copy = synthetic_folder(scratch_ / "copy", {launch("L1", 5)});
  EXPECT_EQ(overhead_of({{one, copy}, one.experiment_toml()}, scratch_ / "joined"), overhead_of(JoinedFolders(one), one.path()));
}

TEST_F(SeveralFolders, AreToldApartByTheAudit) {
  const auto environment = [](const std::string& id, const std::string& commit) {
    return nlohmann::ordered_json{{"cores", 2}, {"git_commit", commit}, {"launches", {{id, {{"load", 1}}}}}};
  };
  const auto one = synthetic_folder(scratch_ / "job-1", {launch("L1", 5)}, environment("L1", "aaa"));
  const auto two = synthetic_folder(scratch_ / "job-2", {launch("L2", 5)}, environment("L2", "bbb"));
  const auto result = analyse({{one, two}, one.experiment_toml()}, scratch_ / "joined");
  EXPECT_THAT(result.headlines,
              Contains(HasSubstr("git_commit differs between launches of one cell, and was not asked for: aaa")));
  EXPECT_THAT(
      result.headlines,
      Contains(HasSubstr(
          "measured in several jobs, on other nodes or at another time; they differ between launches of one cell: job-1")));
}

TEST_F(SeveralFolders, AreEachChecked) {
  const auto one = synthetic_folder(scratch_ / "one", {launch("L1", 5)}),
             two = synthetic_folder(scratch_ / "two", {launch("L2", 9)});
  replace_file(two.path() + "/metrics.csv", "damaged\n");
  FolderChecks checks;
  for (const auto* folder : {&one, &two})
    checks.push_back(std::make_unique<FolderCheck>(folder->path(), FolderCheck::Scope::kMeasured));
  try {
    const auto result = analyse({{one, two}, one.experiment_toml()}, scratch_ / "joined", checks);
    EXPECT_THAT(result.damage, Contains(HasSubstr(two.path())));
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr(two.path()));
  }
}

}  // namespace
}  // namespace ddpbench
