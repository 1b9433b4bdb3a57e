#include "reports/analysis/samples/step_scanner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/samples/samples.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

StepRow some_step(std::int64_t i) {
  StepRow row;
  row.launch_id = "L1";
  row.super_block = 1 + i / 3;
  row.block = i;
  row.arm = i % 2 == 0 ? "raw" : "trainer-fetch-loss";
  row.step = i % 3;
  row.rank = i % 2;
  row.discarded = row.step == 0;
  row.step_s = 1e-3 / static_cast<double>(i + 1);
  row.thread_cpu_s = 1e-300 * static_cast<double>(i);
  row.backward_s = 123456789;
  row.loss = i % 5 == 0 ? 0.5 : kNotMeasured;
  return row;
}

std::string some_text(std::int64_t rows) {
  auto text = csv_header<StepRow>();
  for (std::int64_t i = 0; i < rows; ++i) append_csv_row(text, some_step(i));
  return text;
}

// As written again: a row's bits are its text.
std::string scanned(const std::string& text, bool& plain) {
  StepScanner scanner(text);
  auto again = csv_header<StepRow>();
  StepRow row;
  while (scanner.next(row)) {
    row.launch_id = "L1";
    append_csv_row(again, row);
  }
  plain = scanner.plain();
  return again;
}

TEST(StepScanner, ReadsWhatTheWriterWritesBitForBit) {
  bool plain = false;
  EXPECT_EQ(scanned(some_text(200), plain), some_text(200));
  EXPECT_TRUE(plain);
  EXPECT_EQ(scanned(csv_header<StepRow>(), plain), csv_header<StepRow>());
  EXPECT_TRUE(plain);
}

TEST(StepScanner, FindsColumnsByNameAndPassesOverUnknownOnes) {
  auto text = some_text(1);
  text.insert(text.find('\n'), ",later");
  text.insert(text.size() - 1, ",anything");
  bool plain = false;
  EXPECT_EQ(scanned(text, plain), some_text(1));
  EXPECT_TRUE(plain);
}

TEST(StepScanner, LeavesWhatIsNotPlainToTheOtherReader) {
  const auto good = some_text(2);
  const auto body = good.find('\n') + 1;
  const auto changed = [&](const std::string& from, const std::string& to) {
    auto text = good;
    return text.replace(text.find(from, body), from.size(), to);
  };
  bool plain = true;
  for (const auto& text : {changed(",raw,", ",\"raw\","), changed(",0.001,", ",0.001x,"), changed(",0.001,", ",,0.001,"),
                           changed(",1,0.001,", ",2,0.001,"), changed("\n", "\r\n"), good.substr(0, good.size() - 1),
                           good.substr(0, good.size() - 9) + "\n", std::string("launch_id,arm\n"), std::string()}) {
    scanned(text, plain);
    EXPECT_FALSE(plain) << text;
  }
}

TEST(StepScanner, SamplesAreTheSameByEitherReader) {
  const auto text = some_text(60);
  auto quoted = text;
  for (auto at = quoted.find(",raw,"); at != std::string::npos; at = quoted.find(",raw,")) quoted.replace(at, 5, ",\"raw\",");
  LaunchSamples plain, judged;
  read_step_samples(text, "steps", plain);
  read_step_samples(quoted, "steps", judged);
  ASSERT_EQ(plain.arms.size(), 2U);
  ASSERT_EQ(judged.arms.size(), 2U);
  for (std::size_t arm = 0; arm < 2; ++arm) {
    EXPECT_EQ(plain.arms[arm].arm, judged.arms[arm].arm);
    EXPECT_EQ(plain.arms[arm].ranks.size(), judged.arms[arm].ranks.size());
    EXPECT_EQ(plain.arms[arm].series[0].of_medians.size(), judged.arms[arm].series[0].of_medians.size());
    EXPECT_EQ(plain.arms[arm].losses.size(), judged.arms[arm].losses.size());
    EXPECT_EQ(plain.arms[arm].sums.step_s, judged.arms[arm].sums.step_s);
  }
}

TEST(StepScanner, MistakesAreNamedAsEver) {
  auto text = some_text(3);
  text.replace(text.rfind(",123456789,"), 11, ",12345x,");
  LaunchSamples samples;
  EXPECT_THAT([&] { read_step_samples(text, "steps", samples); },
              ThrowsMessage<UsageError>(HasSubstr("steps:4: column backward_s: '12345x' is not a number")));
}

TEST(BlockTable, BlocksOfDifferentLengthAndHolesStayWhatTheyAre) {
  BlockTable blocks;
  blocks.at(3, 1)[0] = 31;
  blocks.at(1, 2)[0] = 12;
  blocks.at(3, 5)[0] = 35;
  ASSERT_EQ(blocks.size(), 3U);
  ASSERT_EQ(blocks[0].size(), 2U);
  EXPECT_TRUE(std::isnan(blocks[0][0][0]));
  EXPECT_EQ(blocks[0][1][0], 12);
  EXPECT_TRUE(blocks[1].empty());
  ASSERT_EQ(blocks[2].size(), 5U);
  EXPECT_EQ(blocks[2][0][0], 31);
  EXPECT_EQ(blocks[2][4][0], 35);
  EXPECT_THROW(blocks.at(100'000'000, 1'000), UsageError);
}

}  // namespace
}  // namespace ddpbench
