#include "harness/measure/process/host_watch.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "harness/probe/clock_readings.hpp"

namespace ddpbench {
namespace {

constexpr double kCores = 2;

// After `at` seconds in which the ranks used `own` of `busy` seconds.
HostReading reading(double at, double busy, double own, double steal = 0, double throttled = 0) {
  return {.at_s = at, .load = 1, .busy_s = busy, .steal_s = steal, .throttled_s = throttled, .own_s = own};
}

TEST(HostRule, AHostOfItsOwnIsNotDisturbed) {
  HostRule rule(reading(0, 0, 0), kCores);
  for (int i = 1; i <= 20; ++i) {
    const auto use = rule.next(reading(i, 2.0 * i, 1.95 * i));
    EXPECT_FALSE(use.disturbed) << i;
    EXPECT_NEAR(use.foreign_cpu_s, 0.05, 1e-9);
  }
}

TEST(HostRule, ANeighbourOnAQuarterOfTheCoresDisturbs) {
  HostRule rule(reading(0, 0, 0), kCores);
  EXPECT_TRUE(rule.next(reading(1, 2, 1.5)).disturbed);
}

TEST(HostRule, ShortBlocksAreJudgedOverHalfASecond) {
  HostRule rule(reading(0, 0, 0), kCores);
  int disturbed = 0;
  for (int i = 1; i <= 100; ++i) {  // 10 ms blocks; a tick of 10 ms now and then is no neighbour
    if (rule.next(reading(0.01 * i, 0.02 * i + 0.01 * std::floor(i / 30.0), 0.02 * i)).disturbed) ++disturbed;
  }
  EXPECT_EQ(disturbed, 0);
  for (int i = 101; i <= 200; ++i) {  // now one takes half of each core
    if (rule.next(reading(0.01 * i, 0.02 * i + 0.03, 0.02 * i - 0.01 * (i - 100))).disturbed) ++disturbed;
  }
  EXPECT_GT(disturbed, 70);
}

TEST(HostRule, ForeignTimeAddsUpThoughTicksAreCoarse) {
  HostRule rule(reading(0, 0, 0), kCores);
  double sum = 0;
  for (int i = 1; i <= 100; ++i) sum += rule.next(reading(0.003 * i, 0.01 * std::floor(0.3 * i), 0.001 * i)).foreign_cpu_s;
  EXPECT_NEAR(sum, 0.3 - 0.1, 0.011);
}

TEST(HostRule, StealAndThrottlingDisturb) {
  HostRule rule(reading(0, 0, 0), kCores);
  const auto stolen = rule.next(reading(1, 1, 1, 0.03));
  EXPECT_TRUE(stolen.disturbed);
  EXPECT_NEAR(stolen.steal_s, 0.03, 1e-12);
  EXPECT_FALSE(rule.next(reading(2, 2, 2, 0.03)).disturbed);
  EXPECT_TRUE(rule.next(reading(3, 3, 3, 0.03, 0.001)).disturbed);
}

// To one who does not count this process as its own, its second of CPU time is foreign, on top of whatever else the host does. That
// one's interval encloses the other's.
TEST(HostWatch, CountsThisProcessAsItsOwn) {
  HostWatch stranger({});
  HostWatch watch({getpid()});
  for (const auto begin = process_cpu_ns(); process_cpu_ns() - begin < 1'000'000'000;) {
  }
  const auto use = watch.since_last();
  EXPECT_GE(use.load, 0);
  EXPECT_GT(stranger.since_last().foreign_cpu_s, use.foreign_cpu_s + 0.5);
}

// As a loader's worker: what it uses is the rank's, while it runs and when it has ended.
TEST(CpuSeconds, HoldThoseOfChildren) {
  constexpr double kUsed_s = 0.3, kTicks_s = 0.02;
  const auto before = cpu_seconds(getpid());
  std::array<int, 2> said{}, asked{};
  ASSERT_TRUE(pipe(said.data()) == 0 && pipe(asked.data()) == 0);
  const auto child = fork();
  ASSERT_GE(child, 0);
  char byte = 0;
  if (child == 0) {
    while (process_cpu_ns() < static_cast<std::int64_t>(kUsed_s * 1e9)) {
    }
    const bool is_heard = write(said[1], &byte, 1) == 1 && read(asked[0], &byte, 1) == 1;
    _exit(is_heard ? 0 : 1);
  }
  ASSERT_EQ(read(said[0], &byte, 1), 1);
  EXPECT_GE(cpu_seconds(getpid()) - before, kUsed_s);
  ASSERT_EQ(write(asked[1], &byte, 1), 1);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_GE(cpu_seconds(getpid()) - before, kUsed_s - kTicks_s);
  for (const int end : {said[0], said[1], asked[0], asked[1]}) close(end);
}

}  // namespace
}  // namespace ddpbench
