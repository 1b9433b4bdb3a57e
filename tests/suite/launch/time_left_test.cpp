#include "suite/launch/time_left.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

// A run whose launches all start up for so long, measure for 12 s, and count for so long; the test moves its clock.
struct Launches {
  static constexpr double kCap = 12;
  double start_up, counting;
  std::size_t launches;
  TimeLeft left{};
  double now = 0;

  TimeLeft::Clock::time_point time() const {
    return TimeLeft::Clock::time_point(std::chrono::duration_cast<TimeLeft::Clock::duration>(std::chrono::duration<double>(now)));
  }
  double all() const { return static_cast<double>(launches) * (start_up + kCap + counting); }
  double told(const RankProgress& progress) { return left.seconds(progress, time()); }
  void start(std::size_t number) {
    left.start_launch({number, launches, "null", kCap, kCap * static_cast<double>(launches - number), 6}, time());
  }
  // What is told before, in and behind the measurement of a launch, with the time that is really left.
  template <class Take>
  void pass_launch(std::size_t number, const Take& take) {
    start(number);
    now += start_up;
    take(told({"check", 0, 0, kCap}), all() - now);
    for (int second = 0; second < 12; second += 3) {
      take(told({"measure", second + 1, static_cast<double>(second), kCap}), all() - now);
      now += 3;
    }
    take(told({"counts", 12, kCap, kCap}), all() - now);
    now += counting;
  }
};

TEST(TimeLeft, HoldsWithinAThirdFromTheFirstLaunchOn) {
  Launches run{4, 1.5, 4};
  for (std::size_t number = 1; number <= 4; ++number) {
    run.pass_launch(number, [](double told, double real) {
      EXPECT_LT(told, 1.5 * real);
      EXPECT_GT(told, real / 1.5);
    });
  }
}

TEST(TimeLeft, IsExactOnceALaunchHasEnded) {
  Launches run{4, 1.5, 3};
  run.pass_launch(1, [](double, double) {});
  for (std::size_t number = 2; number <= 3; ++number) {
    run.pass_launch(number, [](double told, double real) { EXPECT_NEAR(told, real, 1e-6); });
  }
}

// min_super_blocks are taken also beyond the cap: "0 s left" for ten minutes is no progress.
TEST(TimeLeft, GoesByThePaceWhereTheFewestSuperBlocksTakeLongerThanTheCap) {
  Launches run{0, 0, 1};
  run.left.start_launch({1, 1, "null", 30, 0, 100}, run.time());
  run.now = 10;
  EXPECT_NEAR(run.told({"measure", 99, 10, 30}), 20, 1e-9) << "the cap takes longer";
  run.now = 40;
  EXPECT_NEAR(run.told({"measure", 50, 40, 30}), 40, 1e-9);
  run.now = 45;
  EXPECT_NEAR(run.told({"measure", 0, 45, 90}), 45, 1e-9) << "what the ranks themselves expect";
}

// It failed, or somebody stopped it: the next one may take all of its time.
TEST(TimeLeft, OfALaunchThatEndedWithinItsMeasurementLearnsNothing) {
  Launches run{0, 0, 2};
  run.start(1);
  run.told({"measure", 1, 3, 12});
  run.now += 3;
  run.start(2);
  EXPECT_NEAR(run.told({"check", 0, 0, 12}), 12, 1e-9);
  EXPECT_FALSE(run.left.has_finished_measuring());
  run.told({"measure", 1, 12, 12});
  run.told({"counts", 1, 11.9, 12});
  EXPECT_TRUE(run.left.has_finished_measuring());
}

TEST(TimeLeft, OfALaunchThatNeverMeasuredLearnsNothing) {
  Launches run{0, 0, 2};
  run.start(1);
  run.now += 1000;
  run.start(2);
  EXPECT_NEAR(run.told({"check", 0, 0, 12}), 12, 1e-9);
}

TEST(TimeLeftText, ChoosesItsUnits) {
  EXPECT_EQ(time_left_text(0), "0 s");
  EXPECT_EQ(time_left_text(44.2), "45 s");
  EXPECT_EQ(time_left_text(61), "1 min 01 s");
  EXPECT_EQ(time_left_text(7500), "2 h 05 min");
}

}  // namespace
}  // namespace ddpbench
