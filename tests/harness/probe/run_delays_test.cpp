#include "harness/probe/run_delays.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <string>
#include <thread>

#include "harness/probe/clock_readings.hpp"

namespace ddpbench {
namespace {

TEST(RunDelays, ReadsALineOfSchedstat) {
  const auto found = scheduled_of("401819 2500 17\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->delay_ns, 2500);
  EXPECT_EQ(found->turns, 17);
  for (const auto* line : {"", "401819", "401819 2500", "a b c"}) EXPECT_FALSE(scheduled_of(line)) << line;
}

TEST(RunDelays, OfNoKernelThatTellsThemAreNothing) {
  RunDelays none("none: nobody asked for it");
  none.keep_those_that_run();
  EXPECT_FALSE(none.reads());
  EXPECT_EQ(none.main_ns(), 0);
  EXPECT_EQ(none.others_ns(), 0);
}

struct Schedstat : testing::Test {
  void SetUp() override {
    if (const auto delays = RunDelays::of_steps(); !delays.reads()) GTEST_SKIP() << delays.words();
  }
};

void keep_to_one_core() {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  int core = 0;
  while (!CPU_ISSET(core, &allowed)) ++core;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
}

// Two threads on one core: each waits for it while the other has it, and neither where it sleeps.
TEST_F(Schedstat, CountTheTimeWithoutACore) {
  std::thread([] {
    keep_to_one_core();
    std::atomic<bool> stop{false};
    std::thread neighbour([&] {
      while (!stop) {
      }
    });
    const auto delays = RunDelays::of_steps();
    ASSERT_TRUE(delays.reads());
    const auto wall_begin = wall_ns(), cpu_begin = thread_cpu_ns();
    const auto main_begin = delays.main_ns(), others_begin = delays.others_ns();
    while (thread_cpu_ns() - cpu_begin < 20'000'000) {
    }
    const auto delay = delays.main_ns() - main_begin;  // within what the other two clocks see, whenever the thread loses its core
    const auto cpu = thread_cpu_ns() - cpu_begin;
    const auto wall = wall_ns() - wall_begin;
    constexpr std::int64_t kOfAnotherClock = 1'000'000;  // the scheduler's
    EXPECT_GE(delay, 5'000'000);
    EXPECT_LE(delay, wall - cpu + kOfAnotherClock);
    EXPECT_GE(delays.others_ns() - others_begin, 5'000'000);
    stop = true;
    neighbour.join();
  }).join();
}

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

// The letter behind the name in brackets (proc(5)).
bool sleeps(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line);
  return line.find(") S ") != std::string::npos;
}

// A thread that sleeps from before the constructor returns to its end.
class Sleeper {
 public:
  Sleeper() : thread_([this] { sleep(); }) {
    const auto number = number_.get_future().get();
    while (!sleeps(number)) std::this_thread::yield();
  }
  ~Sleeper() {
    end_.set_value();
    thread_.join();
  }

 private:
  void sleep() {
    number_.set_value(this_thread());
    end_.get_future().wait();
  }

  std::promise<pid_t> number_;
  std::promise<void> end_;
  std::thread thread_;
};

TEST_F(Schedstat, KeepThreadsThatRunAndTakeInNewOnes) {
  const Sleeper idle;
  std::atomic<int> turns{0};
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
      ++turns;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  auto delays = RunDelays::of_steps();
  const auto before = delays.others();
  const Sleeper young;
  for (const int begin = turns; turns < begin + 3;) std::this_thread::yield();
  delays.keep_those_that_run();
  EXPECT_EQ(delays.others(), before);  // one less, one more
  stop = true;
  busy.join();
}

}  // namespace
}  // namespace ddpbench
