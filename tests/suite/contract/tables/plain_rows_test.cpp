#include "suite/contract/tables/plain_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::ThrowsMessage;

StepRow some_step(std::int64_t i) {
  StepRow row;
  row.launch_id = "L1";
  row.super_block = 1 + i / 3;
  row.block = i;
  row.arm = i % 2 == 0 ? "raw" : "=trainer-fetch-loss";
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

// With the first `from` behind the header made `to`.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from, text.find('\n') + 1), from.size(), to);
}

struct Written {
  std::string text;  // as written again: a row's bits are its text
  std::size_t offset = 0, line = 0;
};

Written plain_rows(const std::string& text) {
  PlainRows<StepRow> rows(text);
  Written found{csv_header<StepRow>()};
  StepRow row;
  while (rows.next(row)) append_csv_row(found.text, row);
  found.offset = rows.offset();
  found.line = rows.line();
  return found;
}

std::string all_rows(const std::string& text) {
  auto again = csv_header<StepRow>();
  for_each_csv_row<StepRow>(text, "steps", [&](const StepRow& row) { append_csv_row(again, row); });
  return again;
}

TEST(PlainRows, ReadsWhatTheWriterWritesBitForBit) {
  const auto found = plain_rows(some_text(200));
  EXPECT_EQ(found.text, some_text(200));
  EXPECT_EQ(found.offset, some_text(200).size());
  EXPECT_EQ(found.line, 202U);
  EXPECT_EQ(plain_rows(csv_header<StepRow>()).offset, csv_header<StepRow>().size());
}

// Digits before and behind the point, up to more than a double holds, with and without an exponent: the bits are those of the standard library's reader.
TEST(PlainRows, EveryDecimalIsTheNearestDouble) {
  std::mt19937_64 generator(11);
  for (int i = 0; i < 20'000; ++i) {
    auto number = std::to_string(generator());
    number.resize(1 + generator() % std::min<std::size_t>(19, number.size()));
    const auto point = generator() % number.size();
    number =
        (generator() % 2 == 0 ? "-" : "") + (point == 0 ? "0." + number : number.substr(0, point) + "." + number.substr(point));
    if (generator() % 2 == 0) number += "e-" + std::to_string(10 + generator() % 20);
    const auto text = changed(some_text(1), "123456789", number);
    PlainRows<StepRow> rows(text);
    StepRow row;
    ASSERT_TRUE(rows.next(row)) << number;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(row.backward_s), std::bit_cast<std::uint64_t>(*parse_number<double>(number)))
        << number;
  }
}

TEST(PlainRows, FindsColumnsByNameAndPassesOverUnknownOnes) {
  auto text = some_text(1);
  text.insert(text.find('\n'), ",later");
  text.insert(text.size() - 1, ",anything");
  EXPECT_EQ(plain_rows(text).text, some_text(1));
  EXPECT_EQ(plain_rows(text).offset, text.size());
}

TEST(PlainRows, StopsBeforeALineThatIsNotPlain) {
  const auto good = some_text(2);
  const auto first = good.find('\n') + 1;
  for (const auto& text : {changed(good, ",raw,", ",\"raw\","), changed(good, ",0.001,", ",0.001x,"),
                           changed(good, ",0.001,", ",00.001,"), changed(good, ",0.001,", ",,0.001,"),
                           changed(good, ",1,0.001,", ",2,0.001,"), changed(good, "\n", "\r\n"), changed(good, "L1,", ""),
                           changed(good, "L1,1,0,", "L1,1,00,"), changed(good, "L1", "L\r1"), changed(good, "L1", "\nL1")}) {
    EXPECT_EQ(plain_rows(text).offset, first) << text;
    EXPECT_EQ(plain_rows(text).line, 2U) << text;
  }
}

TEST(PlainRows, ReadsNothingUnderAHeaderThatIsNotPlain) {
  const auto good = some_text(2);
  for (const auto& text : {good.substr(0, good.size() - 1), std::string("launch_id,arm\n"), std::string(), "\xEF\xBB\xBF" + good,
                           "\"launch_id\"" + good.substr(good.find(',')), "later," + good.substr(0, good.find('\n')) + ",\n"}) {
    EXPECT_EQ(plain_rows(text).offset, 0U) << text;
    EXPECT_EQ(plain_rows(text).line, 1U) << text;
    EXPECT_EQ(plain_rows(text).text, csv_header<StepRow>()) << text;
  }
}

TEST(PlainRows, TheReaderGoesOnWhereTheyStop) {
  const auto good = some_text(60);
  EXPECT_EQ(all_rows(changed(good, "\nL1,9,", "\n\"L1\",9,")), good);
  EXPECT_EQ(all_rows(changed(good, "\nL1,9,", "\r\nL1,9,")), good);
  EXPECT_EQ(all_rows("\xEF\xBB\xBF" + good), good);
  EXPECT_EQ(all_rows(good.substr(0, good.size() - 1)), good);
}

TEST(PlainRows, ACarriageReturnIsNoPartOfTheLastColumnsName) {
  auto text = csv_header<BlockRow>();
  BlockRow block;
  block.instructions = 5;
  append_csv_row(text, block);
  text.insert(text.find('\n'), "\r");
  std::vector<double> read;
  for_each_csv_row<BlockRow>(text, "blocks", [&](const BlockRow& row) { read.push_back(row.instructions); });
  EXPECT_THAT(read, ElementsAre(5)) << "it may be missing";
}

TEST(PlainRows, MistakesAreNamedWithTheirLine) {
  auto text = some_text(9);
  text.replace(text.rfind(",123456789,"), 11, ",12345x,");
  EXPECT_THAT([&] { all_rows(text); }, ThrowsMessage<UsageError>("steps:10: column backward_s: '12345x' is not a number"));
  std::vector<std::int64_t> read;
  EXPECT_THROW(for_each_csv_row<StepRow>(text, "steps", [&](const StepRow& row) { read.push_back(row.block); }), UsageError);
  EXPECT_THAT(read, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)) << "each row once";
}

}  // namespace
}  // namespace ddpbench
