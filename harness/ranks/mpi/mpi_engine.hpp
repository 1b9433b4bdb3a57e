#pragma once
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/ranks/mpi/mpi_session.hpp"
#include "harness/ranks/mpi/mpi_work.hpp"

namespace ddpbench {

// Says how calls of MPI's make progress while the rank computes.
enum class MpiProgress {
  kThread,  // a thread of ours begins them and looks after them
  kPoll,  // the caller begins them, and looks after them while it waits; the thread looks after those whose future was asked for
};

// MPI's calls of one backend: begun in order, looked after until they have ended.
//
// The thread sleeps while nothing is under way. While something is, it looks every 50 us; but as soon as the thread that asked
// uses no CPU time, and so waits, it looks without a pause: then there is no compute that it would disturb. Where nothing has
// ended for 0.2 s it looks once a millisecond: somebody is late, and a rank that waits must look like one that waits.
//
// If the oldest call exceeds the timeout, every pending call fails and no more are accepted: MPI cancels no collective.
class MpiEngine {
 public:
  // Throws Error where MPI cannot be initialised.
  MpiEngine(MpiProgress progress, std::chrono::milliseconds timeout);
  // Without shutdown() what is under way is left alone, and MPI is not finalised.
  ~MpiEngine();
  MpiEngine(const MpiEngine&) = delete;
  MpiEngine& operator=(const MpiEngine&) = delete;

  // Begins a work, or queues it for the thread, in the order of the calls. Throws Error after a shutdown or a collective that did
  // not end.
  void submit(const c10::intrusive_ptr<MpiWork>& work);
  bool wait(MpiWork& work, std::chrono::milliseconds timeout);
  void set_timeout(std::chrono::milliseconds timeout) { timeout_.store(timeout, std::memory_order_relaxed); }
  std::uint64_t submitted();  // so far
  // Collective: ends what is under way, then MPI where no other engine needs it.
  void shutdown();

  // Counts one work more whose future somebody waits for; no_more_help() one less.
  void help();
  void no_more_help() { helped_.fetch_sub(1, std::memory_order_relaxed); }
  // Looks once, where callers look (kPoll).
  void look_for_caller();

 private:
  using Works = std::vector<c10::intrusive_ptr<MpiWork>>;
  struct Ended {
    c10::intrusive_ptr<MpiWork> work;
    MPI_Status status{};
    int code = MPI_SUCCESS;
    std::string late{};  // what is wrong where it is none of MPI's codes
    void tell() const { work->complete(status, code, late); }
  };

  void run();
  // Under the lock; what has ended is completed without it.
  void begin_queued(std::vector<Ended>& ended);
  void look(std::vector<Ended>& ended);
  void take_ended(int count, int code, std::vector<Ended>& ended);
  void give_up_late_ones(std::vector<Ended>& ended);
  bool is_brisk() const;  // something has begun or ended a moment ago: to look again at once is worth it
  void poll(const MpiWork& work, std::chrono::steady_clock::time_point deadline);
  bool is_asked() const;  // of the thread: something is there for it to look after, or the end
  void sleep_until_asked(std::unique_lock<std::mutex>& lock);
  void pause(std::unique_lock<std::mutex>& lock);
  bool asker_waits();
  bool callers_look() const { return progress_ == MpiProgress::kPoll; }

  const MpiProgress progress_;
  std::atomic<std::chrono::milliseconds> timeout_;  // of what has not ended
  MpiSession session_;
  std::mutex& mutex_ = MpiSession::mutex();
  std::condition_variable wake_;
  std::deque<c10::intrusive_ptr<MpiWork>> queued_;
  Works flying_;
  std::vector<MPI_Request> requests_;  // of flying_, by place
  Works abandoned_;                    // MPI may still write to their tensors
  std::chrono::steady_clock::time_point moved_{};
  std::vector<int> places_;
  std::vector<MPI_Status> statuses_;
  std::uint64_t submitted_ = 0;
  bool stops_ = false, is_asleep_ = false, is_broken_ = false;
  std::atomic<int> waiting_ = 0;  // callers within wait()
  std::atomic<int> helped_ = 0;   // works under way whose future was asked for
  std::atomic<clockid_t> asker_clock_ = 0;
  std::int64_t asker_cpu_ns_ = -1;
  int helps_left_ = 0;  // until the thread sleeps, behind the last that it helped
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace ddpbench
