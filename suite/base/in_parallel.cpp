#include "suite/base/in_parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ddpbench {
namespace {

// Indices are handed out in their order, and what is handed out is done: every one below a failed one says what became of it.
class IndexQueue {
 public:
  explicit IndexQueue(std::size_t count) : count_(count) {}

  template <class Work>
  void drain(const Work& work) {
    while (!failed_) {
      const auto index = next_++;
      if (index >= count_) return;
      try {
        work(index);
      } catch (...) {
        note_failure(index);
      }
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void note_failure(std::size_t index) {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    if (failure_ && failed_index_ < index) return;
    failure_ = std::current_exception();
    failed_index_ = index;
  }

  std::size_t count_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::size_t failed_index_ = 0;
};

}  // namespace

void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t, std::size_t)>& work) {
  IndexQueue queue(count);
  const auto drain = [&](std::size_t thread) { queue.drain([&](std::size_t index) { work(index, thread); }); };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t thread = 1; thread < std::min(threads, count); ++thread) helpers.emplace_back(drain, thread);
    drain(0);
  }
  queue.rethrow();
}

std::size_t reading_threads() {
  constexpr int kMost = 8;
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;  // more cores than the set has bits
  return static_cast<std::size_t>(std::clamp(CPU_COUNT(&cores), 1, kMost));
}

}  // namespace ddpbench
