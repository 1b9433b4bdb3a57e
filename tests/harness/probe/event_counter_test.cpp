#include "harness/probe/event_counter.hpp"

#include <gmock/gmock.h>
#include <pthread.h>

#include <cerrno>
#include <cmath>
#include <future>
#include <thread>

#include "harness/probe/clock_readings.hpp"
#include "suite/contract/processes/counted_event.hpp"
#include "tests/support/scoped_variable.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

void work(std::int64_t ns) {
  for (const auto begin = thread_cpu_ns(); thread_cpu_ns() - begin < ns;) {
  }
}

EventCounter counter_of(const std::string& event) {
  const test::ScopedVariable asked(kCountedEventVariable, event);
  return EventCounter::of_steps();
}

TEST(EventCounter, SaysWhyNothingIsCounted) {
  EXPECT_EQ(counter_of("none").words(), "none: DDPBENCH_COUNTED_EVENT is none");
  EXPECT_EQ(counter_of("cycles").words(), "none: DDPBENCH_COUNTED_EVENT is 'cycles' (known: instructions, task_clock, none)");
  EXPECT_TRUE(std::isnan(counted_between(counter_of("none").read(), counter_of("none").read())));
}

TEST(EventCounter, TellsWhatAUserCanDo) {
  EXPECT_THAT(why_no_counter(ENOENT, "2"), HasSubstr("virtual machine"));
  EXPECT_THAT(why_no_counter(EACCES, "3"), HasSubstr("kernel.perf_event_paranoid is 3; 2 or less allows it"));
  EXPECT_THAT(why_no_counter(EPERM, ""), HasSubstr("not known"));
  EXPECT_THAT(why_no_counter(ENOSYS, "2"), HasSubstr("no perf_event_open"));
  EXPECT_THAT(why_no_counter(EMFILE, "2"), StartsWith("none: Too many open files"));
}

TEST(EventCounter, WhatTheKernelLentToOthersIsNotKnown) {
  EXPECT_EQ(counted_between({100, 5}, {350, 5}), 250);
  EXPECT_TRUE(std::isnan(counted_between({100, 5}, {350, 6})));
}

// By the kernel's own clock, which every machine has: it counts the nanoseconds of the threads that do steps, and of no others.
struct TaskClock : testing::Test {
  void SetUp() override {
    if (const auto counter = counter_of("task_clock"); !counter.counts()) GTEST_SKIP() << counter.words();
  }
  static constexpr std::int64_t kWork = 30'000'000;
};

// What a hypervisor or interrupts take from the thread is in this count and not in the thread's own clock.
TEST_F(TaskClock, CountsTheThreadThatMakesIt) {
  const auto counter = counter_of("task_clock");
  const auto wall = wall_ns();
  const auto begin = counter.read();
  const auto cpu = thread_cpu_ns();
  work(kWork);
  const auto used = static_cast<double>(thread_cpu_ns() - cpu);
  const auto counted = counted_between(begin, counter.read());
  EXPECT_GE(counted, 0.98 * used);
  EXPECT_LE(counted, static_cast<double>(wall_ns() - wall));
}

TEST_F(TaskClock, CountsNoOtherThread) {
  const auto counter = counter_of("task_clock");
  const auto begin = counter.read();
  std::thread([] { work(kWork); }).join();
  EXPECT_LT(counted_between(begin, counter.read()), 0.5 * kWork);
}

TEST_F(TaskClock, CountsAutogradsThreads) {
  std::promise<void> is_there, may_work;
  std::thread engine([&] {
    ::pthread_setname_np(::pthread_self(), "pt_autograd_0");
    is_there.set_value();
    may_work.get_future().wait();
    work(kWork);
  });
  is_there.get_future().wait();
  const auto counter = counter_of("task_clock");
  const auto begin = counter.read();
  may_work.set_value();
  engine.join();
  EXPECT_GE(counted_between(begin, counter.read()), kWork);
}

}  // namespace
}  // namespace ddpbench
