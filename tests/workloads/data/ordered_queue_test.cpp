#include "workloads/data/ordered_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>

#include "tests/support/allocation_counter.hpp"

namespace ddpbench {
namespace {

struct Number {
  int given = 0;
  int squared = 0;
};

void square(Number& number) { number.squared = number.given * number.given; }

TEST(OrderedQueue, GivesBackInTheOrderOfPushingWhoeverIsReadyFirst) {
  std::latch second_is_ready(1);
  OrderedQueue<int> queue(2, 2, [&](int& number) {
    if (number == 1) second_is_ready.wait();
    if (number == 2) second_is_ready.count_down();
  });
  queue.push(1);
  queue.push(2);
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.size(), 0U);
}

TEST(OrderedQueue, PreparesEveryItemOnceForAnyNumberOfWorkers) {
  for (const std::size_t workers : {1U, 2U, 5U}) {
    OrderedQueue<Number> queue(workers, 2 * workers, square);
    int pushed = 0;
    for (int popped = 0; popped < 2000; ++popped) {
      while (queue.size() < queue.depth()) queue.push({pushed++, 0});
      const auto number = queue.pop();
      ASSERT_EQ(number.given, popped);
      ASSERT_EQ(number.squared, popped * popped);
    }
  }
}

TEST(OrderedQueue, ThrowsWhatPreparingThrewAtThatItem) {
  OrderedQueue<int> queue(2, 3, [](int& number) {
    if (number == 2) throw std::runtime_error("the second");
  });
  for (int i = 1; i <= 3; ++i) queue.push(i);
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_THROW(queue.pop(), std::runtime_error);
  EXPECT_EQ(queue.pop(), 3);
}

TEST(OrderedQueue, ForgetsWhatIsClearedAndNoWorkerTouchesItAfterwards) {
  std::atomic<int> under_way = 0;
  std::latch begun(1), go_on(1);
  OrderedQueue<int> queue(1, 3, [&](int& number) {
    ++under_way;
    if (number == 1) {
      begun.count_down();
      go_on.wait();
    }
    --under_way;
  });
  for (int i = 1; i <= 3; ++i) queue.push(i);
  begun.wait();
  const std::jthread releases([&] { go_on.count_down(); });
  queue.clear();
  EXPECT_EQ(under_way, 0);
  EXPECT_EQ(queue.size(), 0U);
  queue.push(4);
  EXPECT_EQ(queue.pop(), 4);
}

TEST(OrderedQueue, ClearsAtAnyMoment) {
  OrderedQueue<Number> queue(3, 6, square);
  for (int round = 0; round < 300; ++round) {
    for (int i = 0; i < 6; ++i) queue.push({round + i, 0});
    for (int i = 0; i < round % 4; ++i) ASSERT_EQ(queue.pop().given, round + i);
    queue.clear();
  }
}

TEST(OrderedQueue, EndsWhileWorkersAreBusy) {
  std::atomic<int> prepared = 0;
  {
    std::latch begun(2);
    OrderedQueue<int> queue(2, 8, [&](int& number) {
      if (number < 2) begun.count_down();
      ++prepared;
    });
    for (int i = 0; i < 8; ++i) queue.push(i);
    begun.wait();
  }
  EXPECT_GE(prepared, 2);
}

TEST(OrderedQueue, AllocatesNothingInUse) {
  OrderedQueue<Number> queue(1, 4, square);
  const auto before = allocations();
  for (int i = 0; i < 100; ++i) {
    queue.push({i, 0});
    queue.pop();
  }
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace ddpbench
