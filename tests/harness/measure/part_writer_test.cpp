#include "harness/measure/part_writer.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "suite/base/errors.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

class PartWriterTest : public testing::Test {
 protected:
  ScratchFolder scratch_;
  const std::string& folder_ = scratch_.path();
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(PartWriterTest, WritesNothingBeforeFlushAndWholeRowsAfter) {
  PartWriter writer(folder_, 1);
  StepRow row;
  row.launch_id = "L";
  row.arm = "raw";
  row.step_s = 0.25;
  writer.add(row);
  EXPECT_FALSE(std::filesystem::exists(steps_part(folder_, 1)));
  writer.flush();
  writer.add(row);
  writer.flush();
  const auto rows = read_csv_text<StepRow>(csv_header<StepRow>() + text_of(steps_part(folder_, 1)), "part");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].step_s, 0.25);
}

TEST_F(PartWriterTest, SaysWhereItCouldNotWrite) {
  PartWriter writer(folder_ + "/gone", 0);
  writer.add(MetricRow{"L", "", 0, "m", 1, "s"});
  try {
    writer.flush();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(folder_ + "/gone"), std::string::npos) << error.what();
  }
}

// `ulimit -f`: the system would end the process with SIGXFSZ, which the worker ignores.
TEST_F(PartWriterTest, SaysThatAFileReachedTheLimit) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{8, before.rlim_max};
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  PartWriter writer(folder_, 0);
  writer.add(MetricRow{"L", "", 0, "m", 1, "s"});
  std::string words;
  try {
    writer.flush();
  } catch (const Error& error) {
    words = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_TRUE(words.starts_with("file size limit (ulimit -f): cannot write " + folder_)) << words;
}

}  // namespace
}  // namespace ddpbench
