#include "suite/launch/progress.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace ddpbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const LaunchPlace kSecondOfFive{2, 5, "null ddp gloo x2", 30, 90, 6};

RankProgress measuring(double elapsed_seconds) { return {"measure", 12, elapsed_seconds, 30}; }

// A display whose clock the test moves.
struct Shown {
  explicit Shown(bool is_terminal, std::size_t columns = 200) : display(text, {is_terminal, columns, [this] { return now; }}) {}
  ProgressDisplay::Clock::time_point now;
  std::ostringstream text;
  ProgressDisplay display;
};

TEST(ProgressText, SaysWhereTheRunStands) {
  EXPECT_EQ(progress_text(kSecondOfFive, measuring(15), 105),
            "[2/5] null ddp gloo x2 | measure | 12 super-blocks | 15.0/30.0 s | about 1 min 45 s left");
  EXPECT_EQ(progress_text(kSecondOfFive, {"check", 0, 0, 30}, 120),
            "[2/5] null ddp gloo x2 | check | 0.0/30.0 s | about 2 min 00 s left");
}

TEST(ProgressDisplay, WritesALineEveryTenSecondsInALog) {
  Shown shown(false);
  shown.display.start_launch(kSecondOfFive);
  for (int second = 0; second <= 12; ++second) {
    shown.display.show(measuring(second));
    shown.now += std::chrono::seconds(1);
  }
  const auto text = shown.text.str();
  EXPECT_THAT(text, HasSubstr("launch 2 of 5"));
  EXPECT_THAT(text, HasSubstr(" 0.0/30.0 s"));
  EXPECT_THAT(text, HasSubstr(" 10.0/30.0 s"));
  EXPECT_THAT(text, Not(HasSubstr(" 11.0/30.0 s")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(ProgressDisplay, ShowsANewStageAtOnce) {
  Shown shown(false);
  shown.display.show({"warmup", 0, 1, 0});
  shown.display.show({"check", 0, 1, 0});
  EXPECT_THAT(shown.text.str(), HasSubstr("| check |"));
}

TEST(ProgressDisplay, DrawsABarThatFitsTheTerminal) {
  Shown shown(true, 40);
  shown.display.start_launch(kSecondOfFive);
  shown.display.show(measuring(15));
  EXPECT_EQ(shown.text.str(), "\r\033[K[##########..........] [2/5] null ddp g");
}

TEST(ProgressDisplay, TakesTheBarAwayForALine) {
  Shown shown(true);
  shown.display.show(measuring(15));
  shown.text.str("");
  shown.display.print_line("[rank 1] hello");
  EXPECT_EQ(shown.text.str(), "\r\033[K[rank 1] hello\n");
}

}  // namespace
}  // namespace ddpbench
