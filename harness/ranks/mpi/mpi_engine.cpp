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
// With kPoll the thread is no more than a help for those that wait by a future. To wake it takes longer than a small collective, so for some
// time after the last one it wakes by itself.
constexpr std::chrono::microseconds kBetweenHelps{200};
constexpr int kHelpsUntilSleep = 500;

constexpr std::chrono::milliseconds kBrisk{200};
constexpr std::chrono::milliseconds kBetweenSlowLooks{1};

std::int64_t cpu_ns(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return -1;
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

c10::intrusive_ptr<c10::ivalue::Future> future_of_tensors() {
  return c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()));
}

}  // namespace

MpiWork::MpiWork(MpiEngine& engine, int rank, Request request)
    : c10d::Work(rank, request.type), engine_(engine), request_(std::move(request)), future_(future_of_tensors()) {}

bool MpiWork::wait(std::chrono::milliseconds timeout) { return engine_.wait(*this, timeout); }

void MpiWork::complete(const MPI_Status& status, int code, const std::string& late) {
  try {
    if (!late.empty()) throw Error("mpi: " + request_.what + ": " + late);
    require_mpi(code, request_.what);
    source_ = status.MPI_SOURCE;
    if (request_.end) request_.end(status);
    future_->markCompleted(at::IValue(request_.results));
    finish();
  } catch (...) {
    future_->setErrorIfNeeded(std::current_exception());
    finish(std::current_exception());
  }
  if (!late.empty()) return;
  request_.begin = {};
  request_.end = {};
}

MpiEngine::MpiEngine(MpiProgress progress, std::chrono::milliseconds timeout) : progress_(progress), timeout_(timeout) {
  int provided = MPI_THREAD_SINGLE, is_initialised = 0;
  MPI_Initialized(&is_initialised);
  const int code =
      is_initialised != 0 ? MPI_Query_thread(&provided) : MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (code != MPI_SUCCESS) throw Error("mpi: MPI_Init_thread: " + mpi_text(code));
  if (provided < MPI_THREAD_SERIALIZED)
    throw Error("mpi: this library does not let several threads call it (MPI_THREAD_SERIALIZED)");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
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

c10::intrusive_ptr<MpiWork> MpiEngine::submit(int rank, MpiWork::Request request) {
  auto work = c10::make_intrusive<MpiWork>(*this, rank, std::move(request));
  clockid_t clock{};
  if (::pthread_getcpuclockid(::pthread_self(), &clock) == 0) asker_clock_.store(clock, std::memory_order_relaxed);
  std::vector<Ended> ended;
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    if (stops_) throw Error("mpi: " + work->request_.what + ": the group has been shut down");
    if (is_broken_) throw Error("mpi: " + work->request_.what + ": a collective before it did not end");
    work->number_ = ++submitted_;
    queued_.push_back(work);
    if (progress_ == MpiProgress::kPoll) begin_queued(ended);
    wakes = is_asleep_;
  }
  if (wakes) wake_.notify_one();
  for (const auto& one : ended) one.tell();
  return work;
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
    const int code = work->request_.begin(&request);
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
  if (count == MPI_UNDEFINED || count == 0) return give_up_late_ones(ended);
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
  if (is_brisk() || std::chrono::steady_clock::now() - flying_.front()->begun_ < timeout_) return;
  const auto late = "it did not end within " + std::to_string(timeout_.count()) + " ms";
  for (auto& work : flying_) ended.push_back({work, {}, MPI_SUCCESS, late});
  is_broken_ = true;
  abandoned_.insert(abandoned_.end(), flying_.begin(), flying_.end());
  flying_.clear();
  requests_.clear();
}

bool MpiEngine::is_brisk() const { return std::chrono::steady_clock::now() - moved_ < kBrisk; }

bool MpiEngine::look_once() {
  std::vector<Ended> ended;
  bool brisk = false;
  {
    const std::lock_guard lock(mutex_);
    look(ended);
    brisk = is_brisk();
  }
  for (const auto& one : ended) one.tell();
  return brisk;
}

bool MpiEngine::wait(MpiWork& work, std::chrono::milliseconds timeout) {
  const auto limit = timeout.count() > 0 ? timeout : timeout_;
  const auto deadline = std::chrono::steady_clock::now() + limit;
  ++waiting_;
  if (progress_ == MpiProgress::kPoll) {
    while (!work.isCompleted() && std::chrono::steady_clock::now() < deadline) {
      const bool at_once = look_once();
      if (work.isCompleted()) break;
      if (at_once) {
        ::sched_yield();
      } else {
        std::this_thread::sleep_for(kBetweenSlowLooks);
      }
    }
  } else {
    std::unique_lock lock(work.mutex_);
    work.cv_.wait_until(lock, deadline, [&work] { return work.completed_; });
  }
  --waiting_;
  if (!work.isCompleted())
    throw Error("mpi: " + work.request_.what + " did not end within " + std::to_string(limit.count()) + " ms");
  if (work.exception()) std::rethrow_exception(work.exception());
  return true;
}

// Whoever asked last: the thread that trains.
bool MpiEngine::asker_waits() {
  if (waiting_.load(std::memory_order_relaxed) > 0) return true;
  const auto now_ns = cpu_ns(asker_clock_.load(std::memory_order_relaxed));
  const bool stood_still = now_ns >= 0 && now_ns == asker_cpu_ns_;
  asker_cpu_ns_ = now_ns;
  return stood_still;
}

// Until the next look. A new call cuts it short where the thread begins it.
void MpiEngine::pause(std::unique_lock<std::mutex>& lock) {
  const bool caller_looks = progress_ == MpiProgress::kPoll && waiting_.load(std::memory_order_relaxed) > 0;
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

void MpiEngine::sleep_until_asked(std::unique_lock<std::mutex>& lock) {
  const auto is_asked = [this] { return stops_ || !queued_.empty() || !flying_.empty(); };
  for (int helps = 0; progress_ == MpiProgress::kPoll && helps < kHelpsUntilSleep && !is_asked(); ++helps)
    wake_.wait_for(lock, kBetweenHelps);
  is_asleep_ = true;
  wake_.wait(lock, is_asked);
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
      pause(lock);
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
  require_mpi(MPI_Finalize(), "MPI_Finalize");
}

}  // namespace ddpbench
