#include "suite/commands/run/interim_looks.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "suite/base/not_measured.hpp"

namespace ddpbench {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

InterimState state(std::int64_t looks, double needed, double left_s) { return {looks, 8, needed, 10, left_s}; }

TEST(Looks, TakeAsManyLaunchesAsAreThoughtToBeNeeded) {
  EXPECT_EQ(launches_at_next_look(state(1, 13, 1e6)), 13);
  EXPECT_EQ(launches_at_next_look(state(1, kNotMeasured, 1e6)), 16) << "not known: twice as many";
}

TEST(Looks, GrowByAQuarterAtLeastAndThreefoldAtMost) {
  EXPECT_EQ(launches_at_next_look(state(2, 8, 1e6)), 10);
  EXPECT_EQ(launches_at_next_look(state(2, 500, 1e6)), 24);
}

TEST(Looks, KeepWithinTheTime) {
  EXPECT_EQ(launches_at_next_look(state(1, 24, 35)), 11);
  EXPECT_EQ(launches_at_next_look(state(1, 24, 9)), 8) << "there is no time for one more";
  EXPECT_EQ(launches_at_next_look(state(1, 24, -1)), 8);
  EXPECT_THAT(why_no_other_look(state(1, 24, 9)), HasSubstr("--minutes"));
}

TEST(Looks, UseAllTheTimeForTheLastOne) { EXPECT_EQ(launches_at_next_look(state(kMostLooks - 1, 10, 200)), 28); }

TEST(Looks, AreFiveAtMost) {
  EXPECT_EQ(launches_at_next_look(state(kMostLooks, 100, 1e6)), 8);
  EXPECT_THAT(why_no_other_look(state(kMostLooks, 100, 1e6)), HasSubstr("5 looks"));
}

StoppingRequest asked(const char* launches) {
  StoppingRequest request;
  request.launches = launches;
  return request;
}

TEST(Looks, LaunchesAreANumberOrSoManyMore) {
  EXPECT_EQ(wanted_launches(asked(""), 5), 5);
  EXPECT_EQ(wanted_launches(asked("8"), 5), 8);
  EXPECT_EQ(wanted_launches(asked("8"), 0), 8);
  EXPECT_EQ(wanted_launches(asked("+3"), 5), 8);
}

TEST(Looks, AFolderKeepsTheLaunchesThatItHas) {
  Protocol protocol;
  protocol.launches = 5;
  const auto plain = wanted_looks({}, {}, protocol);
  EXPECT_EQ(plain.launches, 5);
  EXPECT_EQ(plain.looks, 1);
  const auto resumed = wanted_looks({}, {12, 9, 5, 2}, protocol);
  EXPECT_EQ(resumed.launches, 12);
  EXPECT_EQ(resumed.looks, 5);
}

TEST(Looks, AFolderThatGetsMoreIsLookedAtByPlanFromThenOn) {
  Protocol protocol;
  protocol.launches = 5;
  const auto more = wanted_looks(asked("+3"), {5, 5, 1, 0}, protocol);
  EXPECT_EQ(more.launches, 8);
  EXPECT_EQ(more.looks, kMostLooks);
  protocol.launches = 9;
  EXPECT_EQ(wanted_looks({}, {5, 5, 1, 0}, protocol).looks, kMostLooks) << "however more are asked for";
  EXPECT_EQ(wanted_looks(asked("8"), {}, protocol).looks, 1) << "a new folder: nobody has looked";
  EXPECT_THAT(
      [&] {
        wanted_looks(asked("+3"), {9, 9, 5, kMostLooks}, protocol);
      },
      ThrowsMessage<UsageError>(HasSubstr("another --out")));
}

TEST(Looks, WhatIsNoSuchNumberIsSaid) {
  EXPECT_THAT([] { wanted_launches(asked("+3"), 0); }, ThrowsMessage<UsageError>(HasSubstr("--resume")));
  EXPECT_THAT([] { wanted_launches(asked("4"), 5); }, ThrowsMessage<UsageError>(HasSubstr("has 5 of each cell already")));
  for (const auto* text : {"0", "many", "+", "-2", "2.5", "++1", "99999"}) {
    EXPECT_THAT([text] { wanted_launches(asked(text), 5); }, ThrowsMessage<UsageError>(HasSubstr("from 1 to 10000"))) << text;
  }
  StoppingRequest request;
  request.until = "done";
  EXPECT_THAT([&] { check(request); }, ThrowsMessage<UsageError>(HasSubstr("must be 'settled'")));
}

}  // namespace
}  // namespace ddpbench
