#include "suite/store/verify_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/store/gzip_members.hpp"
#include "tests/suite/store/sample_launch.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class VerifyFolder : public testing::Test {
 protected:
  VerifyFolder() : path_(scratch_ / "run") {
    std::vector<PlanRow> plan;
    for (const auto* id : {"L0001", "L0002"}) plan.push_back(sample_plan_row(sample_spec(id)));
    auto folder = ResultsFolder::create(path_, "name = \"x\"\n", plan, {});
    folder.commit(sample_result(sample_spec("L0001"), 2));
    folder.commit(sample_result(sample_spec("L0002"), 1));
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

TEST_F(VerifyFolder, FindsMissingFiles) {
  std::filesystem::remove(path_ + "/metrics.csv");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("metrics.csv is missing")));
  EXPECT_THROW(verify_results_folder(path_ + "/nowhere"), UsageError);
}

TEST_F(VerifyFolder, FindsAChangedExperimentAndAnotherSchema) {
  replace_file(path_ + "/experiment.toml", "name = \"y\"\n");
  change("environment.json", "\"schema_version\": 3", "\"schema_version\": 0");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("schema_version is 0"), HasSubstr("experiment.toml was changed")));
  change("environment.json", "\"schema_version\": 0", "\"schema_version\": 2");
  EXPECT_THAT(problems(),
              ElementsAre(AllOf(StartsWith("note: "), HasSubstr("an earlier one")), HasSubstr("experiment.toml was changed")));
}

TEST_F(VerifyFolder, FindsALaunchThatNeverRan) {
  auto plan = sample_plan_row(sample_spec("L0003"));
  auto text = read_file(path_ + "/plan.csv");
  append_csv_row(text, plan);
  replace_file(path_ + "/plan.csv", text);
  EXPECT_THAT(problems(), Contains(HasSubstr("L0003, arm raw is planned and has no row")));
}

TEST_F(VerifyFolder, FindsARowThatDoesNotParseAndAnotherHeader) {
  change("metrics.csv", ",100,", ",1oo,");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("metrics.csv:2: column value: '1oo' is not a number")));
  change("metrics.csv", "unit\n", "units\n");
  EXPECT_THAT(problems(), Contains(HasSubstr("metrics.csv:1: the header is not this schema's")));
}

TEST_F(VerifyFolder, FindsCountsThatDiffer) {
  change("runs.csv", ",2,4,", ",2,6,");
  EXPECT_THAT(problems(), ElementsAre("launch L0001, arm raw has 8 rows of timed steps where runs.csv says 12"));
}

TEST_F(VerifyFolder, FindsDamagedSamplesAndShortFiles) {
  const auto path = path_ + "/steps.csv.gz";
  auto bytes = read_file(path);
  replace_file(path, bytes.substr(0, bytes.size() - 5));
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("5 bytes shorter"), HasSubstr("is cut")));
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // the last member's CRC
  replace_file(path, bytes);
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("incorrect data check")));
}

TEST_F(VerifyFolder, TheTailOfAnInterruptedRunIsANote) {
  const auto path = path_ + "/blocks.csv.gz";
  append_gzip_member(path, static_cast<std::int64_t>(std::filesystem::file_size(path)), "half a launch");
  EXPECT_THAT(problems(),
              ElementsAre(testing::AllOf(testing::StartsWith("note: "), HasSubstr("behind the last committed launch"))));
}

}  // namespace
}  // namespace ddpbench
