#include "suite/base/in_parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <numeric>
#include <vector>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

TEST(InParallel, DoesEachIndexOnceWhateverTheThreads) {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    std::vector<int> done(100, 0);
    std::vector<std::atomic<int>> by(threads);
    in_parallel(done.size(), threads, [&](std::size_t index, std::size_t thread) {
      ++done[index];
      ++by.at(thread);
    });
    EXPECT_EQ(done, std::vector<int>(100, 1));
    EXPECT_EQ(std::accumulate(by.begin(), by.end(), 0), 100);
  }
  in_parallel(0, 4, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(InParallel, ReallyRunsSeveralAtOnce) {
  std::barrier all_here(3);
  in_parallel(3, 3, [&](std::size_t, std::size_t) { all_here.arrive_and_wait(); });
}

TEST(InParallel, OneThreadKeepsTheOrder) {
  std::vector<std::size_t> order;
  in_parallel(5, 1, [&](std::size_t index, std::size_t) { order.push_back(index); });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

// The second index fails while the first one is still at work, and is not what is told.
TEST(InParallel, TellsTheFailureOfTheSmallestIndexAndBeginsNothingMore) {
  std::atomic<bool> second_failed{false};
  std::atomic<int> begun{0};
  const auto work = [&](std::size_t index, std::size_t) {
    ++begun;
    if (index == 0) second_failed.wait(false);
    if (index > 0) {
      second_failed = true;
      second_failed.notify_all();
    }
    throw Error("index " + std::to_string(index));
  };
  try {
    in_parallel(1000, 2, work);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "index 0");
  }
  EXPECT_EQ(begun, 2);
}

}  // namespace
}  // namespace ddpbench
