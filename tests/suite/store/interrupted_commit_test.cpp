#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/store/manifest.hpp"
#include "suite/store/verify_folder.hpp"
#include "tests/suite/store/sample_launch.hpp"
#include "tests/support/recorded_arms.hpp"
#include "tests/support/scratch_folder.hpp"

// A program can be ended between any two changes of a commit. Each such state of a folder is made here out of the folder before and after it,
// and the manifest that stands in between.
namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::StartsWith;

constexpr const char* kExperiment = "name = \"x\"\n";
const std::vector<std::string> kTexts{"environment.json", "metrics.csv", "runs.csv"};  // in the order in which they are replaced

std::vector<PlanRow> plan_of_two() { return {sample_plan_row(sample_spec("L0001")), sample_plan_row(sample_spec("L0002"))}; }

LaunchResult with_facts(LaunchResult result) {
  result.facts = {{"torch", "2.11.0"}};
  return result;
}

class InterruptedCommit : public testing::Test {
 protected:
  InterruptedCommit() {
    auto folder = ResultsFolder::create(before_, kExperiment, plan_of_two(), with_arms({}));
    folder.commit(with_facts(sample_result(sample_spec("L0001"), 2, status::kFailed)));
    fs::copy(before_, after_, fs::copy_options::recursive);
  }

  // What stands on the disk once the manifest is written and `replaced` of the texts are.
  void make_state(std::size_t replaced) {
    fs::remove_all(now_);
    fs::copy(after_, now_, fs::copy_options::recursive);
    for (std::size_t i = replaced; i < kTexts.size(); ++i) copy(before_, kTexts[i]);
    between_.write(now_);
  }
  void copy(const std::string& from, const std::string& name) const {
    fs::copy_file(from + "/" + name, now_ + "/" + name, fs::copy_options::overwrite_existing);
  }
  std::string text(const std::string& folder, const std::string& name) const { return read_file(folder + "/" + name); }

  // The manifest of a commit that adds L0002.
  void commit_second() {
    ResultsFolder::resume(after_, kExperiment, plan_of_two()).commit(with_facts(sample_result(sample_spec("L0002"), 1)));
    between_ = Manifest::read(before_);
    between_.finalize();
    for (const auto* name : {"steps.csv.gz", "blocks.csv.gz"}) {
      const auto begin = static_cast<std::int64_t>(fs::file_size(before_ + "/" + name));
      const auto bytes = static_cast<std::int64_t>(fs::file_size(after_ + "/" + name)) - begin;
      between_.add_member(name, "L0002", 1, sum_of_stretch(after_ + "/" + name, begin, bytes));
    }
    exchange_texts();
  }
  void exchange_texts() {
    for (const auto& name : kTexts) between_.exchange(name, sum_of(text(after_, name)));
  }

  // Every altered byte is found at once, and a run that goes on ends with both launches.
  void expect_whole_and_continued() {
    EXPECT_THAT(verify_results_folder(now_, FolderCheck::Scope::kMeasured), Each(StartsWith("note: ")));
    auto folder = ResultsFolder::resume(now_, kExperiment, plan_of_two());
    EXPECT_THAT(verify_results_folder(now_, FolderCheck::Scope::kMeasured), testing::IsEmpty());
    for (const auto* id : {"L0001", "L0002"}) folder.commit(with_facts(sample_result(sample_spec(id), 1)));
    folder.close();
    EXPECT_THAT(verify_results_folder(now_), testing::IsEmpty());
    EXPECT_EQ(read_csv_text<StepRow>(ResultsFolder::open(now_).read_steps(), "steps").size(),
              2 * sample_step_rows(sample_spec(), 1));
  }

  // Commits, and looks at each state in which some of the texts, which the commit exchanges in this order, are replaced.
  template <class Commit>
  void expect_whole_after_each_file(const std::vector<std::string>& texts, const std::string& launch, Commit commit) {
    fs::remove_all(before_);
    fs::copy(after_, before_, fs::copy_options::recursive);
    commit(ResultsFolder::resume(after_, kExperiment, plan_of_two()));
    between_ = Manifest::read(before_);
    between_.finalize();
    for (const auto& name : texts) between_.exchange(name, sum_of(text(after_, name)));
    for (std::size_t replaced = 0; replaced <= texts.size(); ++replaced) {
      SCOPED_TRACE(launch + " " + std::to_string(replaced));
      fs::remove_all(now_);
      fs::copy(before_, now_, fs::copy_options::recursive);
      for (std::size_t i = 0; i < replaced; ++i) {
        fs::create_directories(fs::path(now_ + "/" + texts[i]).parent_path());
        fs::copy_file(after_ + "/" + texts[i], now_ + "/" + texts[i], fs::copy_options::overwrite_existing);
      }
      between_.write(now_);
      expect_whole_and_continued();
    }
  }

  void expect_dropped_rows_may_be_there_or_gone() {
    for (const bool steps_gone : {false, true}) {
      for (const bool blocks_gone : {false, true}) {
        make_state(kTexts.size());
        if (!steps_gone) copy(before_, "steps.csv.gz");
        if (!blocks_gone) copy(before_, "blocks.csv.gz");
        SCOPED_TRACE(testing::Message() << steps_gone << blocks_gone);
        expect_whole_and_continued();
      }
    }
  }

  ScratchFolder scratch_;
  std::string before_ = scratch_ / "before", after_ = scratch_ / "after", now_ = scratch_ / "now";
  Manifest between_;
};

TEST_F(InterruptedCommit, IsWholeWithEveryNumberOfFilesReplaced) {
  commit_second();
  for (std::size_t replaced = 0; replaced <= kTexts.size(); ++replaced) {
    SCOPED_TRACE(replaced);
    make_state(replaced);
    const auto launches = ResultsFolder::open(now_).runs().size() / 2;
    EXPECT_EQ(launches, replaced == kTexts.size() ? 2U : 1U);
    expect_whole_and_continued();
  }
}

TEST_F(InterruptedCommit, AMemberThatIsHalfWrittenIsATail) {
  commit_second();
  const auto whole = text(after_, "steps.csv.gz");
  const auto committed = fs::file_size(before_ + "/steps.csv.gz");
  for (const auto size : {committed, committed + 1, (committed + whole.size()) / 2, whole.size()}) {
    make_state(0);
    copy(before_, "manifest.csv");
    replace_file(now_ + "/steps.csv.gz", std::string_view(whole).substr(0, size));
    copy(before_, "blocks.csv.gz");
    SCOPED_TRACE(size);
    expect_whole_and_continued();
  }
}

TEST_F(InterruptedCommit, RowsOfAnEarlierAttemptMayBeThereOrGone) {
  const auto header_of = [&](const char* name) { return Manifest::read(before_).rows_of(name).front().bytes; };
  auto folder = ResultsFolder::resume(after_, kExperiment, plan_of_two());
  folder.commit(sample_result(sample_spec("L0001"), 0, status::kFailed));  // nothing of the first attempt stays
  folder.close();
  EXPECT_EQ(fs::file_size(after_ + "/steps.csv.gz"), static_cast<std::uintmax_t>(header_of("steps.csv.gz")));
  between_ = Manifest::read(before_);
  between_.finalize();
  between_.drop({"L0001"});
  exchange_texts();
  expect_dropped_rows_may_be_there_or_gone();
  between_.finalize();  // and tried again, for the disk was full: runs.csv is the same before and after
  exchange_texts();
  expect_dropped_rows_may_be_there_or_gone();
}

// The first rows of a file that is not there before, and those that come behind them.
TEST_F(InterruptedCommit, OfAFileThatOnlySomeFoldersHaveToo) {
  for (const std::string launch : {"C0001", "C0002"}) {
    expect_whole_after_each_file({"collectives_samples.csv", "environment.json", "runs.csv"}, launch, [&](ResultsFolder folder) {
      folder.commit_collectives(launch, {}, {sample_collective(launch)});
    });
  }
  EXPECT_EQ(ResultsFolder::open(after_).collective_samples().size(), 2U);
}

// With files in a folder that is not there before.
TEST_F(InterruptedCommit, OfAProfile) {
  for (const std::string launch : {"L0001-profile", "L0002-profile"}) {
    const auto trace = "profiles/" + launch + "/rank0.pt.trace.json.gz";
    expect_whole_after_each_file({"environment.json", "profiles.csv", trace, "trace_memory.csv", "trace_parts.csv", "runs.csv"},
                                 launch, [&](ResultsFolder folder) { folder.commit_profile(launch, {}, sample_traces(launch)); });
  }
  EXPECT_EQ(ResultsFolder::open(after_).profiles().size(), 2U);
}

TEST_F(InterruptedCommit, AnAlteredByteIsFoundInEveryState) {
  commit_second();
  for (std::size_t replaced = 0; replaced <= kTexts.size(); ++replaced) {
    for (const auto* name : {"experiment.toml", "environment.json", "plan.csv", "runs.csv", "metrics.csv", "manifest.csv",
                             "steps.csv.gz", "blocks.csv.gz"}) {
      make_state(replaced);
      auto bytes = text(now_, name);
      bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 1);
      replace_file(now_ + "/" + name, bytes);
      EXPECT_THAT(verify_results_folder(now_, FolderCheck::Scope::kMeasured),
                  testing::Contains(testing::Not(StartsWith("note: "))))
          << name << " " << replaced;
      EXPECT_THROW(ResultsFolder::resume(now_, kExperiment, plan_of_two()), UsageError) << name << " " << replaced;
    }
  }
}

}  // namespace
}  // namespace ddpbench
