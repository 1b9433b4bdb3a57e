#include "harness/ranks/store_values.hpp"

#include <gtest/gtest.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(StoreValues, AnswersAsC10dsStoresDo) {
  StoreValues values;
  EXPECT_EQ(values.answer({"set", "a", "1"}), Words{});
  EXPECT_EQ(values.answer({"get", "a"}), Words{"1"});
  EXPECT_EQ(values.answer({"add", "a", "5"}), Words{"6"});
  EXPECT_EQ(values.answer({"add", "new", "-2"}), Words{"-2"});
  EXPECT_EQ(values.answer({"count"}), Words{"2"});
  EXPECT_EQ(values.answer({"check", "a", "new"}), Words{"1"});
  EXPECT_EQ(values.answer({"check", "a", "b"}), Words{"0"});
  EXPECT_EQ(values.answer({"delete", "a"}), Words{"1"});
  EXPECT_EQ(values.answer({"delete", "a"}), Words{"0"});
}

TEST(StoreValues, SetsWhereWhatHoldsIsWhatWasExpected) {
  StoreValues values;
  EXPECT_EQ(values.answer({"compare_set", "a", "other", "x"}), Words{"other"}) << "nothing is there, and something was expected";
  EXPECT_EQ(values.answer({"check", "a"}), Words{"0"});
  EXPECT_EQ(values.answer({"compare_set", "a", "", "x"}), Words{"x"});
  EXPECT_EQ(values.answer({"compare_set", "a", "y", "z"}), Words{"x"});
  EXPECT_EQ(values.answer({"compare_set", "a", "x", "z"}), Words{"z"});
}

TEST(StoreValues, HasNoAnswerBeforeAValueIsThere) {
  StoreValues values;
  EXPECT_EQ(values.answer({"get", "a"}), std::nullopt);
  values.answer({"set", "a", ""});
  EXPECT_EQ(values.answer({"wait", "a", "b"}), std::nullopt);
  values.answer({"set", "b", ""});
  EXPECT_EQ(values.answer({"wait", "a", "b"}), Words{});
}

TEST(StoreValues, RefusesWhatIsNoRequest) {
  StoreValues values;
  values.answer({"set", "text", "x"});
  for (const auto& request :
       {Words{}, Words{"list"}, Words{"set", "a"}, Words{"get"}, Words{"add", "a", "x"}, Words{"add", "text", "1"}}) {
    EXPECT_THROW(values.answer(request), Error);
  }
}

}  // namespace
}  // namespace ddpbench
