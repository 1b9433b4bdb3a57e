#include "suite/base/numbers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace ddpbench {
namespace {

TEST(Numbers, AreTheWholeText) {
  EXPECT_EQ(parse_number<std::int64_t>("42"), 42);
  EXPECT_EQ(parse_number<std::int64_t>("-7"), -7);
  EXPECT_EQ(parse_number<double>("1e-3"), 0.001);
  for (const auto* text : {"", " 1", "1 ", "1.5x", "+1", "0x10"}) {
    EXPECT_FALSE(parse_number<std::int64_t>(text)) << text;
    EXPECT_FALSE(parse_number<double>(text)) << text;
  }
}

TEST(Numbers, OutOfRangeIsNone) {
  EXPECT_FALSE(parse_number<std::int64_t>("9223372036854775808"));
  EXPECT_FALSE(parse_number<std::uint64_t>("-1"));
  EXPECT_FALSE(parse_number<double>("1e999"));
}

TEST(Numbers, FiniteOnesExcludeInfinityAndNaN) {
  EXPECT_TRUE(parse_number<double>("inf"));
  EXPECT_FALSE(parse_finite<double>("inf"));
  EXPECT_FALSE(parse_finite<double>("nan"));
  EXPECT_EQ(parse_finite<double>("2.5"), 2.5);
}

TEST(Numbers, ShortestTextReadsBack) {
  EXPECT_EQ(shortest_text(0.1), "0.1");
  EXPECT_EQ(shortest_text(std::int64_t{1000000}), "1000000");
  for (const double value : {1.0 / 3, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::lowest()}) {
    EXPECT_EQ(parse_number<double>(shortest_text(value)), value);
  }
}

TEST(Numbers, ALeadingZeroIsRefused) {
  for (const auto* text : {"010", "00", "-01", "01.5"}) {
    EXPECT_FALSE(parse_number<std::int64_t>(text)) << text;
    EXPECT_FALSE(parse_number<double>(text)) << text;
  }
  EXPECT_EQ(parse_number<std::int64_t>("0"), 0);
  EXPECT_EQ(parse_number<double>("0.5"), 0.5);
  EXPECT_EQ(parse_number<double>("1e05"), 1e5);
}

}  // namespace
}  // namespace ddpbench
