#include "suite/contract/launch/option_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::map<std::string, std::string> kGiven{{"n", "3"}, {"x", "0.5"}, {"on", "true"}, {"cap", "default"}};

TEST(OptionValues, ReadsByType) {
  const OptionValues values(kGiven);
  EXPECT_EQ(values.integer("n"), 3);
  EXPECT_EQ(values.number("x"), 0.5);
  EXPECT_TRUE(values.is_on("on"));
  EXPECT_EQ(values.number_or("cap", 25), 25);
  EXPECT_EQ(values.number_or("x", 25), 0.5);
}

TEST(OptionValues, NamesWhatIsMissingOrOfAnotherType) {
  const OptionValues values(kGiven);
  EXPECT_THAT([&] { values.text("stem"); }, ThrowsMessage<UsageError>(HasSubstr("stem")));
  EXPECT_THAT([&] { values.integer("x"); }, ThrowsMessage<UsageError>(HasSubstr("'0.5'")));
  EXPECT_THAT([&] { values.is_on("n"); }, ThrowsMessage<UsageError>(HasSubstr("true or false")));
}

}  // namespace
}  // namespace ddpbench
