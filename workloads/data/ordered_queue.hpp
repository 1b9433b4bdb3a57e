#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace ddpbench {

// Prepares items on threads of its own, ahead of one consumer, which gets them back in the order in which it pushed them. What
// preparing an item throws is thrown by the pop() of that item. Allocates nothing after construction but for exceptions. Its end
// waits for the items that are being prepared, and drops the others.
template <class Item>
class OrderedQueue {
 public:
  using Prepare = std::function<void(Item&)>;  // called by the workers, several at a time

  // Holds at most `depth` items.
  OrderedQueue(std::size_t workers, std::size_t depth, Prepare prepare) : prepare_(std::move(prepare)), places_(depth) {
    for (std::size_t i = 0; i < workers; ++i) {
      threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
  }
  ~OrderedQueue() {
    for (auto& thread : threads_) thread.request_stop();
  }
  OrderedQueue(const OrderedQueue&) = delete;
  OrderedQueue& operator=(const OrderedQueue&) = delete;

  // The consumer's thread calls these.
  std::size_t depth() const { return places_.size(); }
  std::size_t size() const { return static_cast<std::size_t>(pushed_ - popped_); }

  // Queues an item; size() must be below depth().
  void push(Item item) {
    {
      const std::lock_guard lock(mutex_);
      place(pushed_++) = {std::move(item), false, nullptr};
    }
    pushed_one_.notify_one();
  }

  // Returns the oldest item, once it is prepared; size() must be above 0. Where its preparation threw, it is gone and the others
  // stay.
  Item pop() {
    std::unique_lock lock(mutex_);
    auto& oldest = place(popped_);
    prepared_one_.wait(lock, [&] { return oldest.prepared; });
    ++popped_;
    auto taken = std::exchange(oldest, Place());
    if (taken.error) std::rethrow_exception(taken.error);
    return std::move(taken.item);
  }

  // Drops every item; afterwards no worker touches one.
  void clear() {
    std::unique_lock lock(mutex_);
    for (auto i = begun_; i < pushed_; ++i) place(i) = Place();
    pushed_ = begun_;
    for (; popped_ < begun_; ++popped_) {
      auto& begun = place(popped_);
      prepared_one_.wait(lock, [&] { return begun.prepared; });
      begun = Place();
    }
  }

 private:
  struct Place {
    Item item{};
    bool prepared = false;
    std::exception_ptr error;
  };

  Place& place(std::uint64_t number) { return places_[static_cast<std::size_t>(number % places_.size())]; }

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (pushed_one_.wait(lock, stop, [this] { return begun_ < pushed_; }) && !stop.stop_requested()) {
      auto& mine = place(begun_++);
      lock.unlock();
      auto error = error_of_preparing(mine.item);
      lock.lock();
      mine.error = std::move(error);
      mine.prepared = true;
      prepared_one_.notify_one();
    }
  }

  std::exception_ptr error_of_preparing(Item& item) {
    try {
      prepare_(item);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  Prepare prepare_;
  std::mutex mutex_;
  std::condition_variable_any pushed_one_;
  std::condition_variable prepared_one_;
  // Items are numbered in the order of push(); popped_ <= begun_ <= pushed_ <= popped_ + depth. Only the consumer changes the
  // first and the last, so it reads them without the lock.
  std::uint64_t pushed_ = 0, begun_ = 0, popped_ = 0;
  std::vector<Place> places_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

}  // namespace ddpbench
