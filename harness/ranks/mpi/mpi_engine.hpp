#pragma once
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <vector>

namespace ddpbench {

class MpiEngine;

// One collective or message of ours. Begins when MPI is asked for it, in the order of the calls; many may be under way.
class MpiWork final : public c10d::Work {
 public:
  struct Request {
    c10d::OpType type;
    std::string what;                                 // "allreduce of 4096 B", for errors
    std::vector<at::Tensor> results;                  // of the future
    std::function<int(MPI_Request*)> begin;           // the non-blocking call; its code
    std::function<void(const MPI_Status&)> end = {};  // behind its completion: copies, a mean; no call of MPI's
  };
  MpiWork(MpiEngine& engine, int rank, Request request);

  // Throws Error with MPI's words, or where it has not ended within the timeout (0: the engine's own).
  bool wait(std::chrono::milliseconds timeout) override;
  std::vector<at::Tensor> result() override { return request_.results; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return future_; }
  int sourceRank() const override { return source_; }
  uint64_t getSequencenumber() const override { return number_; }

 private:
  friend class MpiEngine;
  void complete(const MPI_Status& status, int code, const std::string& late);

  MpiEngine& engine_;
  Request request_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
  std::chrono::steady_clock::time_point begun_{};
  std::uint64_t number_ = 0;
  int source_ = -1;
};

// How calls of MPI's make progress while the rank computes.
enum class MpiProgress {
  kThread,  // a thread of ours begins them and looks after them
  kPoll,    // the caller begins them, and looks after them while it waits; the thread helps where nobody waits by wait()
};

// MPI's calls of one process: begun in order, looked after until they have ended. One per process, for MPI is initialised once.
//
// The thread sleeps while nothing is under way. While something is, it looks every 50 us; but as soon as the thread that asked uses no CPU
// time, and so waits, it looks without a pause: then there is no compute that it would disturb. Where nothing has ended for 0.2 s it looks
// once a millisecond: somebody is late, and a rank that waits must look like one that waits.
//
// What has not ended within the timeout ends with an error, and with it all else: MPI takes no collective back.
class MpiEngine {
 public:
  // Initialises MPI. Throws Error where that fails.
  MpiEngine(MpiProgress progress, std::chrono::milliseconds timeout);
  // Without shutdown() what is under way is left alone, and MPI is not finalised.
  ~MpiEngine();
  MpiEngine(const MpiEngine&) = delete;
  MpiEngine& operator=(const MpiEngine&) = delete;

  c10::intrusive_ptr<MpiWork> submit(int rank, MpiWork::Request request);
  bool wait(MpiWork& work, std::chrono::milliseconds timeout);
  std::uint64_t submitted();  // so far
  // Collective: ends what is under way, then MPI.
  void shutdown();

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
  void give_up_late_ones(std::vector<Ended>& ended);
  bool is_brisk() const;  // something has begun or ended a moment ago: to look again at once is worth it
  // A caller's look, with the lock taken; is_brisk().
  bool look_once();
  void sleep_until_asked(std::unique_lock<std::mutex>& lock);
  void pause(std::unique_lock<std::mutex>& lock);
  bool asker_waits();

  const MpiProgress progress_;
  const std::chrono::milliseconds timeout_;
  std::mutex mutex_;
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
  std::atomic<clockid_t> asker_clock_ = 0;
  std::int64_t asker_cpu_ns_ = -1;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace ddpbench
