#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

template <class Row>
std::string message_of(const std::string& text) {
  try {
    read_csv_text<Row>(text, "file.csv");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

double any_double() {
  const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  return std::isnan(value) ? kNotMeasured : value;  // a NaN has no payload in a file
}

// Without control characters and broken UTF-8, which no file holds.
std::string any_text() {
  static const std::vector<std::string> kParts{"a", "b", ",", "\"", "'", " ", ";", "=", "-", "1", "é"};
  return join(*rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kParts)), "");
}

struct AnyCell {
  StepRow& row;
  void operator()(std::string StepRow::*member) const { row.*member = any_text(); }
  void operator()(std::int64_t StepRow::*member) const { row.*member = *rc::gen::arbitrary<std::int64_t>(); }
  void operator()(bool StepRow::*member) const { row.*member = *rc::gen::arbitrary<bool>(); }
  void operator()(double StepRow::*member) const { row.*member = any_double(); }
};

struct SameCell {
  const StepRow &a, &b;
  bool operator()(double StepRow::*member) const {
    const double x = a.*member;
    const double y = b.*member;
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y));
  }
  template <class Member>
  bool operator()(Member member) const {
    return a.*member == b.*member;
  }
};

TEST(Csv, EveryRowReadsBackBitForBit) {
  EXPECT_TRUE(rc::check([] {
    StepRow row;
    for (const auto& column : columns<StepRow>()) std::visit(AnyCell{row}, column.member);
    auto text = csv_header<StepRow>();
    append_csv_row(text, row);
    append_csv_row(text, row);
    const auto rows = read_csv_text<StepRow>(text, "steps.csv");
    RC_ASSERT(rows.size() == 2U);
    for (const auto& column : columns<StepRow>()) RC_ASSERT(std::visit(SameCell{row, rows.back()}, column.member));
  }));
}

TEST(Csv, ATextIsUtf8OnOneLine) {
  EXPECT_EQ(csv_field("two\nlines,\ttab"), "\"two lines, tab\"");
  EXPECT_EQ(csv_field("a\033[2Jb\xff"), "a?[2Jb?");
}

TEST(Csv, EmptyDoubleIsNotMeasured) {
  const auto rows = read_csv_text<MetricRow>("launch_id,arm,rank,metric,value,unit\nL1,,0,m,,s\n", "metrics.csv");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(std::isnan(rows[0].value));
  EXPECT_EQ(rows[0].arm, "");
}

TEST(Csv, FindsColumnsByNameIgnoresFurtherOnesAndAcceptsCrLfAndNoLastNewline) {
  const auto rows =
      read_csv_text<MetricRow>("unit,new,value,metric,rank,arm,launch_id\r\ns,7,0.5,\"a \"\"b\"\", c\",1,raw,L1", "m");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].metric, "a \"b\", c");
  EXPECT_EQ(rows[0].value, 0.5);
  EXPECT_EQ(rows[0].rank, 1);
}

TEST(Csv, ErrorsNameOriginLineColumnAndValue) {
  const std::string header = "launch_id,arm,rank,metric,value,unit\n";
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1,s\nL1,raw,0,m,1x,s\n"),
            "file.csv:3: column value: '1x' is not a number");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,,m,1,s\n"), "file.csv:2: column rank: '' is not an integer");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1\n"), "file.csv:2: 5 fields where the header has 6");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1,s,\n"), "file.csv:2: 7 fields where the header has 6");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,\"raw,0,m,1,s\n"), "file.csv:2: a quote is not closed");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,\"raw\"x,0,m,1,s\n"), "file.csv:2: text comes after a closing quote");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1,s\nL1,raw,0,m,1,s\0s\n"s),
            "file.csv:3: a control character stands in the text (byte 66)");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,ra\rw,0,m,1,s\n"), "file.csv:2: a control character stands in the text (byte 42)");
  EXPECT_THAT(message_of<MetricRow>(""), HasSubstr("header line is missing"));
  EXPECT_EQ(message_of<MetricRow>("launch_id,arm,rank,metric\n"),
            "file.csv:1: column value is missing\nfile.csv:1: column unit is missing");
  EXPECT_THROW(read_csv_file<MetricRow>("/nowhere/metrics.csv"), UsageError);
}

TEST(Csv, ReadsTextsLargerThanTheLineReadersBuffer) {
  auto text = csv_header<MetricRow>();
  const MetricRow row{"L1", "raw", 3, std::string(1000, 'm'), 0.25, "s"};
  const std::size_t count = 40000;  // 40 MB; the reader's window is 32
  for (std::size_t i = 0; i < count; ++i) append_csv_row(text, row);
  std::size_t same = 0;
  for_each_csv_row<MetricRow>(text, "m",
                              [&](const MetricRow& read) { same += read.metric == row.metric && read.rank == 3 ? 1 : 0; });
  EXPECT_EQ(same, count);
}

TEST(Csv, ALineHasABound) {
  const auto text = csv_header<MetricRow>() + "L,,0,m,1," + std::string(std::size_t{1} << 20U, 'x') + "\n";
  try {
    read_csv_text<MetricRow>(text, "m.csv");
    ADD_FAILURE() << "it was read";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("m.csv:2: the line has 1048585 bytes: at most 1048576 are read"));
  }
}

}  // namespace
}  // namespace ddpbench
