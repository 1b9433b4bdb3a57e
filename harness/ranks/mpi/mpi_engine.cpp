#include "harness/ranks/mpi/mpi_engine.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <utility>

#include "harness/ranks/mpi/mpi_errors.hpp"

namespace ddpbench {
namespace {

using namespace std::chrono_literals;

// Each look costs a microsecond or so of the core that computes.
constexpr std::chrono::microseconds kBetweenLooks{50};
// With kPoll the thread looks after those whose future was asked for. To wake it takes longer than a small collective, so for some
// time after the last one it wakes by itself.
constexpr std::chrono::microseconds kBetweenHelps{200};
constexpr int kHelpsUntilSleep = 500;

// Where nobody asked for help, what is under way may yet be what a peer waits for, while the caller computes.
constexpr std::chrono::milliseconds kBetweenStrayLooks{10};

// The core may be shared with the rank that this one waits for.
constexpr int kLooksBetweenYields = 16;

constexpr std::chrono::milliseconds kBrisk{200};
constexpr std::chrono::milliseconds kBetweenSlowLooks{1};

std::int64_t cpu_ns(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return -1;
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

MpiEngine::MpiEngine(MpiProgress progress, std::chrono::milliseconds timeout) : progress_(progress), timeout_(timeout) {
  thread_ = std::thread([this] { run(); });
}

MpiEngine::~MpiEngine() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
    queued_.clear();
    flying_.clear();
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void MpiEngine::submit(const c10::intrusive_ptr<MpiWork>& work) {
  clockid_t clock{};
  if (::pthread_getcpuclockid(::pthread_self(), &clock) == 0) asker_clock_.store(clock, std::memory_order_relaxed);
  std::vector<Ended> ended;
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    if (stops_) throw Error("mpi: " + work->what() + ": the group has been shut down");
    if (is_broken_) throw Error("mpi: " + work->what() + ": a collective before it did not end");
    work->number_ = ++submitted_;
    queued_.push_back(work);
    if (callers_look()) begin_queued(ended);
    wakes = is_asleep_ && !callers_look();
  }
  if (wakes) wake_.notify_one();
  for (const auto& one : ended) one.tell();
}

std::uint64_t MpiEngine::submitted() {
  const std::lock_guard lock(mutex_);
  return submitted_;
}

void MpiEngine::begin_queued(std::vector<Ended>& ended) {
  while (!queued_.empty()) {
    auto work = std::move(queued_.front());
    queued_.pop_front();
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = work->begin(&request);
    if (code != MPI_SUCCESS) {
      ended.push_back({std::move(work), {}, code, {}});
      continue;
    }
    work->begun_ = moved_ = std::chrono::steady_clock::now();
    flying_.push_back(std::move(work));
    requests_.push_back(request);
  }
}

void MpiEngine::look(std::vector<Ended>& ended) {
  if (flying_.empty()) return;
  const auto all = static_cast<int>(requests_.size());
  places_.resize(requests_.size());
  statuses_.resize(requests_.size());
  int count = 0;
  const int code = MPI_Testsome(all, requests_.data(), &count, places_.data(), statuses_.data());
  if (count == MPI_UNDEFINED || count == 0) {
    give_up_late_ones(ended);
  } else {
    take_ended(count, code, ended);
  }
}

void MpiEngine::take_ended(int count, int code, std::vector<Ended>& ended) {
  moved_ = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(places_[static_cast<std::size_t>(i)]);
    const auto& status = statuses_[static_cast<std::size_t>(i)];
    ended.push_back({std::move(flying_[place]), status, code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : code, {}});
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < flying_.size(); ++i) {
    if (!flying_[i]) continue;
    if (kept != i) flying_[kept] = std::move(flying_[i]);
    requests_[kept++] = requests_[i];
  }
  flying_.resize(kept);
  requests_.resize(kept);
}

// The oldest is late first: they are begun in order.
void MpiEngine::give_up_late_ones(std::vector<Ended>& ended) {
  const auto timeout = timeout_.load(std::memory_order_relaxed);
  if (is_brisk() || std::chrono::steady_clock::now() - flying_.front()->begun_ < timeout) return;
  const auto late = "it did not end within " + std::to_string(timeout.count()) + " ms";
  for (auto& work : flying_) ended.push_back({work, {}, MPI_SUCCESS, late});
  is_broken_ = true;
  abandoned_.insert(abandoned_.end(), flying_.begin(), flying_.end());
  flying_.clear();
  requests_.clear();
}

bool MpiEngine::is_brisk() const { return std::chrono::steady_clock::now() - moved_ < kBrisk; }

void MpiEngine::look_for_caller() {
  if (!callers_look()) return;
  std::vector<Ended> ended;
  {
    const std::lock_guard lock(mutex_);
    look(ended);
  }
  for (const auto& one : ended) one.tell();
}

void MpiEngine::help() {
  helped_.fetch_add(1, std::memory_order_relaxed);
  if (!callers_look()) return;
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    wakes = is_asleep_;
  }
  if (wakes) wake_.notify_one();
}

void MpiEngine::poll(const MpiWork& work, std::chrono::steady_clock::time_point deadline) {
  for (int looks = 1; !work.has_ended(); ++looks) {
    look_for_caller();
    if (looks % kLooksBetweenYields != 0) continue;
    if (std::chrono::steady_clock::now() > deadline) return;
    bool brisk = false;
    {
      const std::lock_guard lock(mutex_);
      brisk = is_brisk();
    }
    if (brisk) {
      ::sched_yield();
    } else {
      std::this_thread::sleep_for(kBetweenSlowLooks);
    }
  }
}

bool MpiEngine::wait(MpiWork& work, std::chrono::milliseconds timeout) {
  const auto limit = timeout.count() > 0 ? timeout : timeout_.load(std::memory_order_relaxed);
  const auto deadline = std::chrono::steady_clock::now() + limit;
  ++waiting_;
  if (callers_look()) {
    poll(work, deadline);
  } else {
    std::unique_lock lock(work.mutex_);
    work.cv_.wait_until(lock, deadline, [&work] { return work.completed_; });
  }
  --waiting_;
  if (!work.has_ended()) throw Error("mpi: " + work.what() + " did not end within " + std::to_string(limit.count()) + " ms");
  if (work.failure_) std::rethrow_exception(work.failure_);
  return true;
}

// The asker is the training thread.
bool MpiEngine::asker_waits() {
  if (waiting_.load(std::memory_order_relaxed) > 0) return true;
  const auto now_ns = cpu_ns(asker_clock_.load(std::memory_order_relaxed));
  const bool stood_still = now_ns >= 0 && now_ns == asker_cpu_ns_;
  asker_cpu_ns_ = now_ns;
  return stood_still;
}

// Until the next look. A new call cuts it short where the thread begins it.
void MpiEngine::pause(std::unique_lock<std::mutex>& lock) {
  const bool caller_looks = callers_look() && waiting_.load(std::memory_order_relaxed) > 0;
  const bool looks_on = !caller_looks && asker_waits();
  if (looks_on && is_brisk()) {
    lock.unlock();
    ::sched_yield();
    lock.lock();
    return;
  }
  is_asleep_ = true;
  const std::chrono::microseconds length = looks_on ? kBetweenSlowLooks : caller_looks ? kBetweenHelps : kBetweenLooks;
  wake_.wait_for(lock, length, [this] { return stops_ || !queued_.empty(); });
  is_asleep_ = false;
}

bool MpiEngine::is_asked() const {
  if (stops_) return true;
  return callers_look() ? helped_.load(std::memory_order_relaxed) > 0 : !queued_.empty() || !flying_.empty();
}

// Where callers look, it also ends from time to time while something is under way.
void MpiEngine::sleep_until_asked(std::unique_lock<std::mutex>& lock) {
  const auto asked = [this] { return is_asked(); };
  for (; helps_left_ > 0 && !is_asked(); --helps_left_) wake_.wait_for(lock, kBetweenHelps);
  is_asleep_ = true;
  if (callers_look()) {
    while (!wake_.wait_for(lock, kBetweenStrayLooks, asked) && flying_.empty()) {
    }
    if (is_asked()) helps_left_ = kHelpsUntilSleep;
  } else {
    wake_.wait(lock, asked);
  }
  is_asleep_ = false;
}

void MpiEngine::run() {
  ::prctl(PR_SET_TIMERSLACK, 1000UL);  // nanoseconds; 50,000 by default: a sleep would last twice as long
  std::unique_lock lock(mutex_);
  std::vector<Ended> ended;
  while (true) {
    sleep_until_asked(lock);
    if (stops_ && queued_.empty() && flying_.empty()) return;
    begin_queued(ended);
    look(ended);
    if (ended.empty()) {
      if (is_asked()) pause(lock);
      continue;
    }
    lock.unlock();
    for (const auto& one : ended) one.tell();
    ended.clear();
    lock.lock();
  }
}

void MpiEngine::shutdown() {
  {
    const std::lock_guard lock(mutex_);
    if (stops_) return;
    stops_ = true;
  }
  wake_.notify_all();
  thread_.join();
  session_.leave();
}

}  // namespace ddpbench
