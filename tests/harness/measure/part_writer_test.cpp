#include "harness/measure/part_writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "suite/base/errors.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"
#include "suite/contract/outcome.hpp"
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

}  // namespace
}  // namespace ddpbench
