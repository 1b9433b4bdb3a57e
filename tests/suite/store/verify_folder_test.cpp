#include "suite/store/verify_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/store/gzip_members.hpp"
#include "suite/store/manifest.hpp"
#include "suite/store/report_manifest.hpp"
#include "tests/suite/store/sample_launch.hpp"
#include "tests/support/recorded_arms.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class VerifyFolder : public testing::Test {
 protected:
  VerifyFolder() : path_(scratch_ / "run") {
    std::vector<PlanRow> plan;
    for (const auto* id : {"L0001", "L0002"}) plan.push_back(sample_plan_row(sample_spec(id)));
    auto folder = ResultsFolder::create(path_, "name = \"x\"\n", plan, with_arms({}));
    folder.commit(sample_result(sample_spec("L0001"), 2));
    folder.commit(sample_result(sample_spec("L0002"), 1));
    folder.add_node_checks({sample_node_check()});
    folder.commit_collectives("C0001", {{"status", "ok"}}, {sample_collective("C0001")});
    folder.commit_profile("L0001-profile", {{"status", "ok"}}, sample_traces("L0001-profile"));
    folder.close();
  }
  void change(const std::string& name, const std::string& from, const std::string& to) {
    auto text = read_file(path_ + "/" + name);
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << name;
    replace_file(path_ + "/" + name, text.replace(at, from.size(), to));
  }
  std::vector<std::string> problems() const { return verify_results_folder(path_); }

  ScratchFolder scratch_;
  std::string path_;
};

TEST_F(VerifyFolder, AWholeFolderHasNoProblem) { EXPECT_THAT(problems(), IsEmpty()); }

TEST_F(VerifyFolder, SaysThatAFolderIsHalfMadeAndNothingElse) {
  const auto path = scratch_ / "begun";
  ResultsFolder::create(path, "name = \"x\"\n", {sample_plan_row(sample_spec("L0001"))}, {});
  std::filesystem::remove(path + "/manifest.csv");
  EXPECT_THAT(verify_results_folder(path), ElementsAre(HasSubstr("is incomplete: its run stopped before the first launch")));
}

TEST_F(VerifyFolder, FindsMissingFiles) {
  std::filesystem::remove(path_ + "/metrics.csv");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("metrics.csv is missing")));
  EXPECT_THROW(verify_results_folder(path_ + "/nowhere"), UsageError);
}

// Files that only some folders have.
TEST_F(VerifyFolder, FindsThatAnOptionalFileIsMissingOrShorter) {
  for (const auto* name : folder_file::kOptional) {
    const auto text = read_file(path_ + "/" + name);
    std::filesystem::remove(path_ + "/" + name);
    EXPECT_THAT(problems(), ElementsAre(HasSubstr(std::string(name) + " is missing"))) << name;
    replace_file(path_ + "/" + name, text.substr(0, text.find('\n') + 1));
    EXPECT_THAT(problems(), ElementsAre(HasSubstr(std::string(name) + " was altered"))) << name;
    replace_file(path_ + "/" + name, text);
  }
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(VerifyFolder, FindsAChangedExperimentAndAnotherSchema) {
  replace_file(path_ + "/experiment.toml", "name = \"y\"\n");
  change("environment.json", "\"schema_version\": " + std::to_string(kSchemaVersion), "\"schema_version\": 0");
  EXPECT_THAT(problems(), AllOf(Contains(HasSubstr("schema_version is 0")), Contains(HasSubstr("experiment.toml was altered")),
                                Contains(HasSubstr("environment.json was altered"))));
}

TEST_F(VerifyFolder, FindsThatATraceIsMissingOrAltered) {
  const auto trace = path_ + "/profiles/L0001-profile/rank0.pt.trace.json.gz";
  replace_file(trace, "another");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("rank0.pt.trace.json.gz was altered")));
  std::filesystem::remove(trace);
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("rank0.pt.trace.json.gz is missing")));
}

// Recorded again, in other files: those of before are gone, with their folder, and the manifest does not miss them.
TEST_F(VerifyFolder, AProfileThatIsRecordedAnewLeavesNothingOfTheOneBefore) {
  const std::string launch = "L0001-profile", before = path_ + "/profiles/" + launch;
  auto folder = ResultsFolder::resume(path_, "name = \"x\"\n", ResultsFolder::open(path_).plan());
  auto traces = sample_traces(launch);
  for (const std::string span : {"1", "2"}) {
    auto row = sample_traces(launch).ranks.front();
    row.file = "profiles/" + launch + "/raw/rank0." + span + ".pt.trace.json.gz";
    row.steps_file = "profiles/" + launch + "/raw/rank0." + span + ".steps.csv";
    traces.files[row.file] = traces.files[row.steps_file] = "span " + span;
    if (span == "1") {
      traces.files.erase(traces.ranks.front().file);
      traces.ranks.clear();
    }
    traces.ranks.push_back(row);
  }
  folder.commit_profile(launch, {}, traces);
  EXPECT_FALSE(std::filesystem::exists(before + "/rank0.pt.trace.json.gz"));
  EXPECT_TRUE(std::filesystem::exists(before + "/raw/rank0.2.pt.trace.json.gz"));
  EXPECT_THAT(problems(), IsEmpty());
  folder.commit_profile(launch, {}, sample_traces(launch));
  EXPECT_FALSE(std::filesystem::exists(before + "/raw"));
  folder.close();
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(VerifyFolder, OfAProfileThatIsRecordedAnewNoFileOutsideIsRemoved) {
  auto folder = ResultsFolder::resume(path_, "name = \"x\"\n", ResultsFolder::open(path_).plan());
  replace_file(scratch_ / "mine", "mine");
  change("profiles.csv", "profiles/L0001-profile/rank0.pt.trace.json.gz", "profiles/../../mine");
  folder.commit_profile("L0001-profile", {}, sample_traces("L0001-profile"));
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "mine"));
}

// Also in the manifest itself, which holds the checksums of the others.
TEST_F(VerifyFolder, FindsEveryAlteredByte) {
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (entry.is_directory()) continue;
    const auto name = entry.path().filename().string();
    const auto bytes = read_file(entry.path());
    for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 12) {
      auto altered = bytes;
      altered[at] = static_cast<char>(altered[at] ^ 1);
      replace_file(entry.path(), altered);
      ASSERT_THAT(problems(), Contains(Not(StartsWith("note: ")))) << name << ", byte " << at;
    }
    replace_file(entry.path(), bytes);
  }
  EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(VerifyFolder, FindsWhatWasAlteredInAReport) {
  replace_file(path_ + "/summary.md", "It costs 14 us.\n");
  std::filesystem::create_directories(path_ + "/tables");
  replace_file(path_ + "/tables/cells.csv", "cell_id\n");
  write_report_manifest(path_);
  EXPECT_THAT(problems(), IsEmpty());
  replace_file(path_ + "/summary.md", "It costs 41 us.\n");
  std::filesystem::remove(path_ + "/tables/cells.csv");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("summary.md was altered"), HasSubstr("cells.csv is missing")));
  EXPECT_THAT(verify_results_folder(path_, FolderCheck::Scope::kMeasured), IsEmpty()) << "a report writes them anew";
  remove_report_manifest(path_);
  EXPECT_THAT(problems(), IsEmpty());
}

// What follows is found in the values themselves too, for a folder may be altered with its manifest.
class AlteredWithItsManifest : public VerifyFolder {
 protected:
  void write_manifest_anew(const std::string& but = "") {
    Manifest manifest;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.is_directory()) continue;
      const auto name = entry.path().filename().string();
      if (name != kManifestFile && name != but && !name.ends_with(".gz")) manifest.add_file(name, sum_of_file(entry.path()));
    }
    for (const auto* file : {"steps.csv.gz", "blocks.csv.gz"}) add_members(manifest, file);
    manifest.finalize();
    manifest.write(path_);
  }
  std::vector<std::string> problems_after(const std::string& name, const std::string& from, const std::string& to) {
    change(name, from, to);
    write_manifest_anew();
    return problems();
  }
  // One launch's rows, changed.
  std::vector<std::string> problems_with_steps(const std::function<void(std::string&)>& alter) {
    auto result = sample_result(sample_spec("L0002"), 1);
    alter(result.steps_csv);
    auto folder = ResultsFolder::resume(path_, "name = \"x\"\n", ResultsFolder::open(path_).plan());
    folder.commit(std::move(result));
    folder.close();
    return problems();
  }

 private:
  void add_members(Manifest& manifest, const std::string& file) const {
    for (const auto& row : Manifest::read(path_).rows_of(file)) {
      manifest.add_member(file, row.launch_id, row.attempt, {row.bytes, row.crc32});
    }
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(AlteredWithItsManifest, FindsALaunchThatNeverRan) {
  auto text = read_file(path_ + "/plan.csv");
  for (int launch = 100; launch < 123; ++launch) append_csv_row(text, sample_plan_row(sample_spec("L" + std::to_string(launch))));
  replace_file(path_ + "/plan.csv", text);
  write_manifest_anew();
  EXPECT_THAT(problems(), Contains("launch L100 is planned and has no row in runs.csv: it never ran"));
  EXPECT_THAT(problems(), Contains("3 more launches are planned and never ran"));
  EXPECT_THAT(problems(), testing::SizeIs(21)) << "a launch, not an arm of it, has a line, and the first of them alone";
  EXPECT_THAT(verify_results_folder(path_, FolderCheck::Scope::kMeasured), IsEmpty()) << "what never ran can be reported";
}

TEST_F(AlteredWithItsManifest, FindsARowThatDoesNotParseAndAnotherHeader) {
  EXPECT_THAT(problems_after("metrics.csv", ",100,", ",1oo,"),
              ElementsAre(HasSubstr("metrics.csv:2: column value: '1oo' is not a number")));
  EXPECT_THAT(problems_after("metrics.csv", "unit\n", "units\n"),
              Contains(HasSubstr("metrics.csv:1: the header does not match the schema")));
}

TEST_F(AlteredWithItsManifest, TellsLinesThatEndAsOnWindows) {
  EXPECT_THAT(problems_after("metrics.csv", "unit\n", "unit\r\n"),
              Contains(HasSubstr("metrics.csv:1: its lines end in CR LF, as some editors")));
}

TEST_F(AlteredWithItsManifest, FindsCountsThatDiffer) {
  EXPECT_THAT(problems_after("runs.csv", ",2,4,", ",2,6,"),
              ElementsAre("launch L0001, arm raw has 8 rows of timed steps where runs.csv says 12"));
}

TEST_F(AlteredWithItsManifest, FindsRunsThatThePlanContradicts) {
  EXPECT_THAT(problems_after("runs.csv", ",null,", ",resnet50_cifar10,"),
              Contains("launch L0001, arm raw has workload = resnet50_cifar10 in runs.csv, null in plan.csv"));
  EXPECT_THAT(problems_after("runs.csv", ",ok,", ",okay,"), Contains(HasSubstr("has the status 'okay' (known: ok, skipped,")));
}

TEST_F(AlteredWithItsManifest, FindsValuesThatNoMeasurementCanHaveWritten) {
  const auto with_step = [&](const std::string& step_s) {
    return problems_with_steps([&](std::string& csv) { csv = replaced(csv, ",0.002,", "," + step_s + ","); });
  };
  EXPECT_THAT(with_step("-0.002"), Contains(HasSubstr("column step_s: -0.002 must not be negative")));
  EXPECT_THAT(with_step("inf"), Contains(HasSubstr("column step_s: inf must be finite")));
  EXPECT_THAT(with_step("0"), Contains(HasSubstr("column step_s: must be above 0")));
  EXPECT_THAT(with_step(""), Contains(HasSubstr("column step_s: some steps of raw have a time, and some have none")));
  EXPECT_THAT(with_step("0.003"), IsEmpty());
}

TEST_F(AlteredWithItsManifest, FindsValuesOfCollectivesAndNodesThatNoMeasurementCanHaveWritten) {
  EXPECT_THAT(problems_after("collectives_samples.csv", ",0.00125,", ",-0.00125,"),
              Contains(HasSubstr("collectives_samples.csv: row 1: column wall_s: -0.00125 must not be negative")));
  EXPECT_THAT(problems_after("collectives_samples.csv", ",-0.00125,", ",inf,"),
              Contains(HasSubstr("column wall_s: inf must be finite")));
  EXPECT_THAT(problems_after("collectives_samples.csv", ",inf,", ",0,"), Contains(HasSubstr("column wall_s: 0 must be above 0")));
  EXPECT_THAT(problems_after("node_checks.csv", ",0.00025,", ",inf,"),
              Contains(HasSubstr("node_checks.csv: row 1: column value: inf must be a finite number")));
}

TEST_F(AlteredWithItsManifest, WhatStandsInNoLineOfItIsSaid) {
  write_manifest_anew(folder_file::kCollectiveSamples);
  EXPECT_THAT(problems(), ElementsAre(AllOf(StartsWith("note: "), HasSubstr("collectives_samples.csv stands in no line of"))));
}

TEST_F(AlteredWithItsManifest, FindsRowsUnderAnotherRankTwiceOrOutOfOrder) {
  const auto one_line = [](const std::string& csv) { return csv.substr(0, csv.find('\n') + 1); };
  EXPECT_THAT(problems_with_steps([&](std::string& csv) { csv += one_line(csv); }),
              Contains(HasSubstr("step 0 of block 1 of rank 0 comes after step 2 of block 2")));
  const auto to_rank = [](const std::string& rank) {
    return [rank](std::string& csv) { csv = replaced(csv, ",0,0,1,", ",0," + rank + ",1,"); };
  };
  EXPECT_THAT(problems_with_steps(to_rank("1")), Contains(HasSubstr("of rank 0 comes after")));
  EXPECT_THAT(problems_with_steps(to_rank("7")), Contains(HasSubstr("rank 7 of 2")));
}

TEST_F(AlteredWithItsManifest, FindsABlockInWhichRanksRanDifferentArms) {
  const auto swap_arm = [](std::string& csv) {
    const auto rank_one = csv.rfind(",raw,");
    csv.replace(rank_one, 5, ",trainer,");
  };
  EXPECT_THAT(problems_with_steps(swap_arm), Contains(HasSubstr("block 1: rank 1 ran trainer where rank 0 ran raw")));
}

TEST_F(VerifyFolder, SaysInWordsWhatCannotBeRead) {
  const auto path = path_ + "/environment.json";
  const auto whole = read_file(path);
  replace_file(path, std::string(200'000, '['));
  EXPECT_THAT(problems(), Contains(HasSubstr("environment.json is nested more than 64 levels deep")));
  replace_file(path, "{\"schema_version\": {}}");
  EXPECT_THAT(problems(), Not(Contains(HasSubstr("json.exception"))));
  replace_file(path, whole);
  std::filesystem::remove(path_ + "/plan.csv");
  std::filesystem::create_symlink(path_ + "/plan.csv", path_ + "/plan.csv");
  EXPECT_THAT(problems(), AllOf(Contains(HasSubstr("plan.csv")), Not(Contains(HasSubstr("filesystem error")))));
}

TEST_F(VerifyFolder, FindsDamagedSamplesAndShortFiles) {
  const auto path = path_ + "/steps.csv.gz";
  auto bytes = read_file(path);
  replace_file(path, bytes.substr(0, bytes.size() - 5));
  EXPECT_THAT(problems(), Contains(HasSubstr("5 bytes too short for the rows of launch L0002")));
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // the last member's CRC
  replace_file(path, bytes);
  EXPECT_THAT(problems(), Contains(HasSubstr("the rows of launch L0002 (bytes")));
}

TEST_F(VerifyFolder, TheTailOfAnInterruptedRunIsANote) {
  const auto path = path_ + "/blocks.csv.gz";
  append_gzip_member(path, static_cast<std::int64_t>(std::filesystem::file_size(path)), "half a launch");
  EXPECT_THAT(problems(), ElementsAre(testing::AllOf(testing::StartsWith("note: "), HasSubstr("after the last stored launch"))));
}

}  // namespace
}  // namespace ddpbench
