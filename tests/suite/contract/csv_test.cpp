#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/contract/tables/table_schema.hpp"

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
  void operator()(const NumberMember<StepRow>& member) const { member.of(row) = any_double(); }
};

struct SameCell {
  const StepRow &a, &b;
  bool operator()(const NumberMember<StepRow>& member) const {
    const double x = member.of(a);
    const double y = member.of(b);
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
    for (const auto& field : csv_fields<StepRow>()) std::visit(AnyCell{row}, field.member);
    auto text = csv_header<StepRow>();
    append_csv_row(text, row);
    append_csv_row(text, row);
    const auto rows = read_csv_text<StepRow>(text, "steps.csv");
    RC_ASSERT(rows.size() == 2U);
    for (const auto& field : csv_fields<StepRow>()) RC_ASSERT(std::visit(SameCell{row, rows.back()}, field.member));
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

TEST(Csv, AnEstimateIsThreeColumns) {
  ScalingRow row;
  row.cell_id = "C1";
  row.speedup = {1.5, 1.25, 2};
  auto text = csv_header<ScalingRow>();
  EXPECT_THAT(text, HasSubstr(",speedup,speedup_lo,speedup_hi,"));
  append_csv_row(text, row);
  EXPECT_THAT(text, HasSubstr(",1.5,1.25,2,"));
  row.cell_id = "a \"quoted\" one, which is read by another reader";
  append_csv_row(text, row);
  const auto rows = read_csv_text<ScalingRow>(text, "scaling.csv");
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& read : rows) {
    EXPECT_EQ(read.speedup, row.speedup);
    EXPECT_TRUE(std::isnan(read.efficiency.value));
  }
  const auto described = table_schema<ScalingRow>("scaling.csv", "").columns;
  const auto of_name = [&](const char* name) {
    return *std::find_if(described.begin(), described.end(), [&](const auto& column) { return column.name == name; });
  };
  EXPECT_EQ(of_name("efficiency").help, "speedup over the ratio of world sizes");
  EXPECT_EQ(of_name("efficiency_lo").help, "95 % bound");
  EXPECT_EQ(of_name("samples_per_s_hi").help, "its other bound");
  EXPECT_EQ(of_name("samples_per_s_hi").unit, "samples/s");
}

TEST(Csv, FindsColumnsByNameIgnoresFurtherOnesAndAcceptsCrLfAndNoLastNewline) {
  const auto rows =
      read_csv_text<MetricRow>("unit,new,value,metric,rank,arm,launch_id\r\ns,7,0.5,\"a \"\"b\"\", c\",1,raw,L1", "m");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].metric, "a \"b\", c");
  EXPECT_EQ(rows[0].value, 0.5);
  EXPECT_EQ(rows[0].rank, 1);
}

TEST(Csv, KeepsBlanksAndLinesOfAnyLength) {
  auto text = csv_header<MetricRow>();
  const std::string name = "  \"" + std::string(std::size_t{1} << 21U, 'm') + "  ";
  append_csv_row(text, MetricRow{"L1", " raw ", 3, name, 0.25, " "});
  const auto rows = read_csv_text<MetricRow>(text, "m");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].arm, " raw ");
  EXPECT_EQ(rows[0].metric, name);
  EXPECT_EQ(rows[0].unit, " ");
}

TEST(Csv, ErrorsNameOriginLineColumnAndValue) {
  const std::string header = "launch_id,arm,rank,metric,value,unit\n";
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1,s\nL1,raw,0,m,1x,s\n"),
            "file.csv:3: column value: '1x' is not a number");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,,m,1,s\n"), "file.csv:2: column rank: '' is not an integer");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1\n"), "file.csv:2: 5 fields where the header has 6");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1,s,\n"), "file.csv:2: 7 fields where the header has 6");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,\"raw,0,m,1,s\n"), "file.csv:2: a quote is not closed");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,\"m\n\",1,s\n"), "file.csv:2: a quote is not closed");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,\"raw\"x,0,m,1,s\n"),
            "file.csv:2: a quote stands inside a field, or text comes after a closing quote");
  EXPECT_EQ(message_of<MetricRow>(header + "\nL1,raw,0,m,1,s\n"), "file.csv:2: 0 fields where the header has 6");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,raw,0,m,1,s\nL1,raw,0,m,1,s\0s\n"s),
            "file.csv:3: a control character stands in the text (byte 66)");
  EXPECT_EQ(message_of<MetricRow>(header + "L1,ra\rw,0,m,1,s\n"), "file.csv:2: a control character stands in the text (byte 42)");
  EXPECT_THAT(message_of<MetricRow>(""), HasSubstr("header line is missing"));
  EXPECT_EQ(message_of<MetricRow>("launch_id,arm,rank,metric\n"),
            "file.csv:1: column value is missing\nfile.csv:1: column unit is missing");
  EXPECT_THROW(read_csv_file<MetricRow>("/nowhere/metrics.csv"), UsageError);
}

}  // namespace
}  // namespace ddpbench
