#include "harness/purposes/collectives/collective_rounds.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(CollectiveTurns, AModelsBucketsTakeTurnsByThemselvesAndWithinAStep) {
  const auto alone = parse_collective_case("all_reduce:bucket_cap_mb=4"), step = parse_collective_case("step:bucket_cap_mb=25");
  EXPECT_TRUE(take_turns(alone, step));
  EXPECT_TRUE(take_turns(step, parse_collective_case("step:bucket_cap_mb=default")));
  EXPECT_FALSE(take_turns(alone, parse_collective_case("all_reduce:4096")));
  EXPECT_FALSE(take_turns(parse_collective_case("barrier"), parse_collective_case("all_reduce:4096")));
}

TEST(CollectiveRounds, ABlockIsLongEnoughForTheFastestArm) {
  const auto chosen = choose_rounds({3e-6, 4e-6}, 10);
  EXPECT_EQ(chosen.calls, 334) << "the first that are a millisecond of the fastest";
  EXPECT_EQ(chosen.rounds, 40) << "there is time for the most";
}

TEST(CollectiveRounds, ABlockIsNotTooLongForTheSlowestArm) {
  EXPECT_EQ(choose_rounds({1e-6, 1e-3}, 10).calls, 10) << "ten milliseconds of the slowest";
}

TEST(CollectiveRounds, FewerRoundsWhereTheTimeIsShortButAlwaysEnoughForAnInterval) {
  const auto chosen = choose_rounds({0.1, 0.1}, 4);
  EXPECT_EQ(chosen.calls, 1);
  EXPECT_EQ(chosen.rounds, 9) << "0.4006 s a round, one repetition of two does not count";
  EXPECT_EQ(choose_rounds({1, 1}, 0.1).rounds, 8);
}

TEST(CollectiveRounds, NumbersReadBackToTheSame) {
  const auto numbers = numbers_of(numbers_text({0.1, -3, 1e-300, kNotMeasured}));
  ASSERT_EQ(numbers.size(), 4U);
  EXPECT_EQ(numbers[0], 0.1);
  EXPECT_EQ(numbers[2], 1e-300);
  EXPECT_TRUE(std::isnan(numbers[3]));
}

TEST(CollectiveRounds, ARanksResultReadsBackToTheSame) {
  CollectiveResult result;
  for (double round = 1; round <= 8; ++round) result.rounds.push_back({{round, 2, 3}, {10 * round, 20, kNotMeasured}});
  result.arms = {{0.5, 0, 1}, {kNotMeasured, 7, 8}};
  const auto again = CollectiveResult::from(result.text(), 2);
  ASSERT_EQ(again.rounds.size(), 8U);
  EXPECT_EQ(again.rounds[7][1].wall_s, 80);
  EXPECT_TRUE(std::isnan(again.rounds[0][1].longest_s));
  ASSERT_EQ(again.arms.size(), 2U);
  EXPECT_EQ(again.arms[0].p99_s, 0.5);
  EXPECT_EQ(again.arms[1].wrong_behind, 8);
  EXPECT_EQ(again.text(), result.text());
}

TEST(CollectiveRounds, ATextThatIsNoResultIsRefused) {
  EXPECT_THROW(CollectiveResult::from("", 2), Error);
  EXPECT_THROW(CollectiveResult::from("1 2 3 4", 1), Error);
}

}  // namespace
}  // namespace ddpbench
