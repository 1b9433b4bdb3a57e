#include "suite/commands/clock_text.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(ClockText, IsReadAsAClockIs) {
  EXPECT_EQ(minutes_in("1:30", "--time"), 90);
  EXPECT_EQ(minutes_in("01:30", "--time"), 90);
  EXPECT_EQ(minutes_in("00:09", "--time"), 9);
  EXPECT_EQ(minutes_in("100:00", "--time"), 6000);
  EXPECT_EQ(minutes_in("02:05:59", "--time"), 125);
}

TEST(ClockText, NamesTheOptionThatIsNoTime) {
  for (const auto* text : {"", "90", "1:60", "1:2:60", "1:2:3:4", "-1:30", "1:-3", "00:00", "1,5:00", "10000:00"}) {
    try {
      minutes_in(text, "--deadline");
      FAIL() << text;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("--deadline "));
      EXPECT_THAT(error.what(), testing::HasSubstr("must be HOURS:MINUTES, as in 01:30"));
    }
  }
}

}  // namespace
}  // namespace ddpbench
