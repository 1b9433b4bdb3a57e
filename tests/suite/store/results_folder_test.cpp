#include "suite/store/results_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/store/gzip_members.hpp"
#include "suite/store/verify_folder.hpp"
#include "tests/suite/store/sample_launch.hpp"
#include "tests/support/recorded_arms.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* kToml = "name = \"x\"\n[protocol]\nmargin_us = 2\n";

// While it lives, no file of this process can grow past `bytes`: what a full disk does, without one.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;
  ~SmallFiles() { ::setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

class ResultsFolderTest : public testing::Test {
 protected:
  ResultsFolderTest() : path_(scratch_ / "results/run") {
    for (const auto* id : {"L0001", "L0002"}) plan_.push_back(sample_plan_row(sample_spec(id)));
  }
  ResultsFolder create() { return ResultsFolder::create(path_, kToml, plan_, with_arms({{"cores", 2}})); }
  std::size_t step_rows() const { return read_csv_text<StepRow>(ResultsFolder::open(path_).read_steps(), "steps").size(); }

  ScratchFolder scratch_;
  std::string path_;
  std::vector<PlanRow> plan_;
  // Of launches of so many super-blocks.
  static std::size_t rows_of(std::initializer_list<std::int64_t> launches) {
    std::size_t rows = 0;
    for (const auto super_blocks : launches) rows += sample_step_rows(sample_spec(), super_blocks);
    return rows;
  }
};

TEST_F(ResultsFolderTest, AFreshFolderIsWholeAndEmpty) {
  create();
  const auto folder = ResultsFolder::open(path_);
  EXPECT_EQ(folder.experiment_toml(), kToml);
  EXPECT_EQ(folder.plan().size(), 2U);
  EXPECT_TRUE(folder.runs().empty());
  EXPECT_TRUE(folder.metrics().empty());
  EXPECT_EQ(folder.environment()["schema_version"], kSchemaVersion);
  EXPECT_EQ(folder.environment()["cores"], 2);
  EXPECT_EQ(folder.read_steps(), csv_header<StepRow>());
  EXPECT_EQ(folder.read_blocks(), csv_header<BlockRow>());
}

TEST_F(ResultsFolderTest, CommittedLaunchesReadBackInOrder) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 2));
  folder.commit(sample_result(sample_spec("L0002"), 1));
  const auto again = ResultsFolder::open(path_);
  EXPECT_EQ(again.runs().size(), 4U);
  EXPECT_EQ(again.metrics().size(), 2U);
  EXPECT_EQ(step_rows(), rows_of({2, 1}));
  std::vector<std::string> ids;
  again.for_each_launch_blocks([&](const std::string& id, const std::string& csv) {
    ids.push_back(id);
    EXPECT_EQ(read_csv_text<BlockRow>(csv, id).front().launch_id, id);
  });
  EXPECT_EQ(ids, (std::vector<std::string>{"L0001", "L0002"}));
  EXPECT_TRUE(again.is_finished("L0001"));
  EXPECT_FALSE(again.is_finished("L0003"));
}

TEST_F(ResultsFolderTest, WhatALaunchFoundStandsInTheEnvironment) {
  auto folder = create();
  for (const auto* id : {"L0001", "L0002"}) {
    auto result = sample_result(sample_spec(id), 1);
    result.facts = {{"torch", "2.11.0"}, {"cpu_mhz", "2450.000"}};
    folder.commit(std::move(result));
  }
  const auto environment = ResultsFolder::open(path_).environment();
  EXPECT_EQ(environment["launches"]["L0001"]["torch"], "2.11.0");
  EXPECT_EQ(environment["launches"]["L0002"]["cpu_mhz"], 2450) << "a number, so that launches can be compared";
  EXPECT_EQ(environment["cores"], 2) << "what was there stays";
}

TEST_F(ResultsFolderTest, ALaunchThatIsRunAgainReplacesItsFirstTry) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 3, status::kFailed));
  EXPECT_FALSE(folder.is_finished("L0001"));
  auto nothing_ran = sample_result(sample_spec("L0002"), 0, status::kFailed);
  folder.commit(nothing_ran);
  folder.commit(sample_result(sample_spec("L0001"), 1));
  EXPECT_TRUE(folder.is_finished("L0001"));
  EXPECT_EQ(folder.runs().size(), 4U);
  EXPECT_EQ(folder.metrics().size(), 2U);
  EXPECT_EQ(step_rows(), rows_of({1}));
  EXPECT_EQ(folder.runs().back().attempt, 2);
  EXPECT_EQ(folder.runs().front().attempt, 1);
}

// Whoever unpacks the files sees every row once.
TEST_F(ResultsFolderTest, NoRowOfAnEarlierAttemptStaysInTheFile) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 3, status::kFailed));
  folder.commit(sample_result(sample_spec("L0002"), 2));
  folder.commit(sample_result(sample_spec("L0001"), 1));
  for (const auto* name : {"/steps.csv.gz", "/blocks.csv.gz"}) {
    std::string all;
    GzipMemberReader members(path_ + name, static_cast<std::int64_t>(fs::file_size(path_ + name)));
    while (members.next(all)) {
    }
    const auto rows = static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')) - 1;
    EXPECT_EQ(rows, name == std::string("/steps.csv.gz") ? rows_of({2, 1}) : 3U * 4) << name;
  }
}

TEST_F(ResultsFolderTest, AFolderThatIsHalfMadeIsBegunAnew) {
  create();
  const auto begun_anew = [&] {
    EXPECT_TRUE(ResultsFolder::is_half_made(path_));
    EXPECT_THAT([&] { ResultsFolder::open(path_); }, ThrowsMessage<UsageError>(HasSubstr("is incomplete")));
    ResultsFolder::create_anew(path_, kToml, plan_, {}).commit(sample_result(sample_spec("L0001"), 1));
    EXPECT_EQ(step_rows(), rows_of({1}));
  };
  EXPECT_FALSE(ResultsFolder::is_half_made(path_));
  fs::remove(path_ + "/manifest.csv");
  begun_anew();
  fs::remove_all(path_);
  fs::create_directories(path_);
  replace_file(path_ + "/experiment.toml", "name");
  replace_file(path_ + "/plan.csv.77-0.new", "launch");
  begun_anew();
  fs::remove(path_ + "/manifest.csv");
  EXPECT_FALSE(ResultsFolder::is_half_made(path_)) << "runs.csv holds a launch: what lost its manifest is damaged";
  fs::remove_all(path_);
  fs::create_directories(path_);
  replace_file(path_ + "/thesis.tex", "x");
  EXPECT_FALSE(ResultsFolder::is_half_made(path_)) << "what is not ours is never removed";
}

TEST_F(ResultsFolderTest, WhoTakesItOverFindsNoDraftOfAKilledRunOrReport) {
  create();
  fs::create_directories(path_ + "/tables");
  fs::create_directories(scratch_ / "mine");
  fs::create_directories(path_ + "/profiles/L1/raw");
  fs::create_symlink(scratch_ / "mine", path_ + "/plots");
  fs::create_symlink(scratch_ / "mine", path_ + "/profiles/L2");
  const std::vector drafts{path_ + "/runs.csv.77-0.new", path_ + "/tables/schema.json.77-0.new",
                           path_ + "/profiles/L1/raw/rank0.1.steps.csv.77-0.new"};
  const std::vector others{path_ + "/tables/cells.csv", scratch_ / "mine/report.html.77-0.new"};
  for (const auto& path : drafts) replace_file(path, "{");
  for (const auto& path : others) replace_file(path, "{");
  ResultsFolder::resume(path_, kToml, plan_);
  for (const auto& path : drafts) EXPECT_FALSE(fs::exists(path)) << path;
  for (const auto& path : others) EXPECT_TRUE(fs::exists(path)) << path;
}

TEST_F(ResultsFolderTest, WithoutItsManifestItIsStillRead) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 3));
  folder.commit(sample_result(sample_spec("L0002"), 1));
  fs::remove(path_ + "/manifest.csv");
  EXPECT_EQ(step_rows(), rows_of({3, 1}));
}

TEST_F(ResultsFolderTest, APlantedLinkIsNeitherFollowedNorInTheWay) {
  auto folder = create();
  replace_file(scratch_ / "victim", "mine");
  fs::create_symlink(scratch_ / "victim", path_ + "/runs.csv.new");
  folder.commit(sample_result(sample_spec("L0001"), 1));
  EXPECT_EQ(read_file(scratch_ / "victim"), "mine");
}

TEST_F(ResultsFolderTest, ALaunchThatIsRunAgainAndLeavesNothingHasNoneOfItsFirstTrysRows) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 3, status::kFailed));
  folder.commit(sample_result(sample_spec("L0001"), 0, status::kFailed));
  EXPECT_EQ(step_rows(), 0U);
  folder.commit(sample_result(sample_spec("L0002"), 1));
  EXPECT_EQ(step_rows(), rows_of({1}));
}

TEST_F(ResultsFolderTest, EveryCutOfAnUncommittedMemberLeavesTheEarlierLaunches) {
  create().commit(sample_result(sample_spec("L0001"), 1));
  const auto steps = path_ + "/steps.csv.gz";
  const auto committed = static_cast<std::int64_t>(fs::file_size(steps));
  append_gzip_member(steps, committed, sample_result(sample_spec("L0002"), 1).steps_csv);
  const auto whole = read_file(steps);
  for (auto cut = static_cast<std::size_t>(committed); cut < whole.size(); ++cut) {
    replace_file(steps, std::string_view(whole).substr(0, cut));
    ASSERT_EQ(step_rows(), rows_of({1})) << "cut at " << cut;
    ResultsFolder::resume(path_, kToml, plan_);
    ASSERT_EQ(static_cast<std::int64_t>(fs::file_size(steps)), committed) << "cut at " << cut;
  }
}

TEST_F(ResultsFolderTest, AFullDiskLeavesTheLaunchOutAndTheNextTryWhole) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 1));
  const auto result = sample_result(sample_spec("L0002"), 200);
  {
    const SmallFiles limit(4096);
    EXPECT_THAT([&] { folder.commit(result); }, ThrowsMessage<Error>(HasSubstr("cannot write " + path_)));
  }
  EXPECT_EQ(folder.runs().size(), 2U);
  EXPECT_EQ(step_rows(), rows_of({1}));
  folder.commit(result);
  EXPECT_EQ(step_rows(), rows_of({1, 200}));
}

// Rows behind a gap could never be read again, and the run would have ended well.
TEST_F(ResultsFolderTest, ASampleFileThatIsRemovedOrCutUnderTheRunIsSaid) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 1));
  const auto steps = path_ + "/steps.csv.gz";
  fs::resize_file(steps, fs::file_size(steps) - 3);
  const auto commit = [&] { folder.commit(sample_result(sample_spec("L0002"), 1)); };
  EXPECT_THAT(commit, ThrowsMessage<Error>(HasSubstr("it was removed or cut during the run")));
  fs::remove(steps);
  EXPECT_THAT(commit, ThrowsMessage<Error>(HasSubstr("steps.csv.gz is missing: it was removed or cut during the run")));
  EXPECT_EQ(folder.runs().size(), 2U);
  EXPECT_FALSE(fs::exists(steps));
}

TEST_F(ResultsFolderTest, MetricsOfALaunchThatWasNotCommittedAreNotRead) {
  auto folder = create();
  folder.commit(sample_result(sample_spec("L0001"), 1));
  auto text = read_file(path_ + "/metrics.csv");
  append_csv_row(text, MetricRow{"L0002", "", 0, "peak_memory_mib", 7.0, "MiB"});
  replace_file(path_ + "/metrics.csv", text);
  EXPECT_EQ(ResultsFolder::open(path_).metrics().size(), 1U);
}

TEST_F(ResultsFolderTest, CreateRefusesWhatIsNotItsOwn) {
  create();
  EXPECT_THAT([&] { create(); }, ThrowsMessage<UsageError>(HasSubstr("not empty")));
  replace_file(scratch_ / "file", "x");
  path_ = scratch_ / "file";
  EXPECT_THAT([&] { create(); }, ThrowsMessage<UsageError>(HasSubstr("is a file")));
  path_ = scratch_ / "file/folder";
  EXPECT_THAT([&] { create(); }, ThrowsMessage<CannotRun>(HasSubstr("Not a directory")));
}

TEST_F(ResultsFolderTest, OpenRefusesOtherFolders) {
  EXPECT_THROW(ResultsFolder::open(scratch_.path()), UsageError);
  EXPECT_THROW(ResultsFolder::open(scratch_ / "nowhere"), UsageError);
  create();
  replace_file(path_ + "/environment.json", "{\"schema_version\": 99}");
  EXPECT_THAT([&] { ResultsFolder::open(path_); },
              ThrowsMessage<UsageError>(HasSubstr("written by a later ddpbench (schema 99")));
  replace_file(path_ + "/environment.json", "{\"schema_version\": 2}");
  EXPECT_THAT([&] { ResultsFolder::open(path_); },
              ThrowsMessage<UsageError>(HasSubstr("written by an earlier ddpbench (schema 2")));
}

TEST_F(ResultsFolderTest, ResumeNamesTheFirstDifference) {
  create();
  EXPECT_THAT(
      [&] { ResultsFolder::resume(path_, "name = \"x\"\n[protocol]\nmargin_us = 3\n", plan_); },
      ThrowsMessage<UsageError>(HasSubstr("experiment.toml:3: this folder holds another experiment: it has 'margin_us = 2'")));
  EXPECT_THAT([&] { ResultsFolder::resume(path_, std::string(kToml) + "\n", plan_); },
              ThrowsMessage<UsageError>(HasSubstr("toml:4")));
  auto other = plan_;
  other[1].batch_size_per_rank = 64;
  EXPECT_THAT([&] { ResultsFolder::resume(path_, kToml, other); },
              ThrowsMessage<UsageError>(HasSubstr("launch L0002 differs from this run's plan in column batch_size_per_rank")));
  other.pop_back();
  EXPECT_THROW(ResultsFolder::resume(path_, kToml, other), UsageError);
  auto elsewhere = plan_;
  elsewhere[0].command = "/other/ddpbench-worker";
  EXPECT_NO_THROW(ResultsFolder::resume(path_, kToml, elsewhere));
}

// A release may add a key: what the folder's did not know it did at the default.
TEST_F(ResultsFolderTest, ResumesWhatAReleaseBeganThatDidNotKnowAKey) {
  create();
  const std::string newer = std::string(kToml) + "block_steps = 4   # timed steps\n";
  EXPECT_NO_THROW(ResultsFolder::resume(path_, newer, plan_));
  const std::string other = std::string(kToml) + "block_steps = 5   # timed steps\n";
  EXPECT_THAT([&] { ResultsFolder::resume(path_, other, plan_); }, ThrowsMessage<UsageError>(HasSubstr("'block_steps = 5")));
}

TEST_F(ResultsFolderTest, IsExtendedByAPlanWithMoreLaunches) {
  const std::string toml = "name = \"x\"\n[protocol]\nlaunches = 2   # fresh starts\nlooks = 1   # planned looks\n";
  const std::string more = "name = \"x\"\n[protocol]\nlaunches = 3   # fresh starts\nlooks = 5   # planned looks\n";
  ResultsFolder::create(path_, toml, plan_, with_arms({{"cores", 2}})).close();
  auto longer = plan_;
  longer.push_back(sample_plan_row(sample_spec("L0003")));
  {
    auto folder = ResultsFolder::resume(path_, more, longer);
    folder.note_look({"2026-11-27T12:00:00Z", 2, 1});
    folder.close();
  }
  const auto folder = ResultsFolder::open(path_);
  EXPECT_EQ(folder.plan().size(), 3U);
  EXPECT_EQ(folder.experiment_toml(), more);
  EXPECT_EQ(folder.looks_taken(), 1);
  EXPECT_THAT(verify_results_folder(path_, FolderCheck::Scope::kMeasured), testing::IsEmpty());
  EXPECT_THAT([&] { ResultsFolder::resume(path_, toml, plan_); }, ThrowsMessage<UsageError>(HasSubstr("another experiment")))
      << "launches that were measured do not go away";
  auto other = longer;
  other.at(1) = sample_plan_row(sample_spec("L0009"));
  EXPECT_THAT([&] { ResultsFolder::resume(path_, more, other); }, ThrowsMessage<UsageError>(HasSubstr("L0002 differs")));
}

TEST_F(ResultsFolderTest, HasOneWriterAtATime) {
  const auto folder = create();
  EXPECT_THAT([&] { ResultsFolder::resume(path_, kToml, plan_); }, ThrowsMessage<UsageError>(HasSubstr("another ddpbench")));
  EXPECT_NO_THROW(ResultsFolder::open(path_));
}

TEST_F(ResultsFolderTest, PartFoldersComeEmptyAndGo) {
  auto folder = create();
  const auto part_dir = folder.make_part_dir("L0001");
  replace_file(part_dir + "/steps.0.csv", "x");
  EXPECT_EQ(folder.make_part_dir("L0001"), part_dir);
  EXPECT_TRUE(fs::is_empty(part_dir));
  folder.remove_parts("L0001");
  EXPECT_FALSE(fs::exists(path_ + "/parts"));
}

}  // namespace
}  // namespace ddpbench
