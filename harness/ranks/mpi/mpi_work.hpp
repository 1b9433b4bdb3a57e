#pragma once
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <torch/csrc/distributed/c10d/Work.hpp>
#include <utility>
#include <vector>

namespace ddpbench {

class MpiEngine;

// Is one collective or message of ours. Begins when MPI is asked for it, in the order of the calls; many may be under way.
class MpiWork : public c10d::Work {
 public:
  struct Facts {
    c10d::OpType type;
    const char* name;  // "allreduce" of `bytes`, for errors
    std::int64_t bytes;
    std::vector<at::Tensor> results;
  };
  MpiWork(MpiEngine& engine, int rank, Facts facts);

  // Waits until it has ended. Throws Error with MPI's words, or where it has not ended within the timeout (0: the engine's own).
  bool wait(std::chrono::milliseconds timeout) override;
  bool isCompleted() override;
  std::vector<at::Tensor> result() override { return facts_.results; }
  // Made when somebody asks for it: most small collectives are waited for, and a future costs as much as they do.
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override;
  int sourceRank() const override { return source_; }
  uint64_t getSequencenumber() const override { return number_; }

  std::string what() const;  // "allreduce of 4096 B"

 protected:
  virtual int begin(MPI_Request* begun) = 0;       // the non-blocking call; its code
  virtual void end(const MPI_Status& status) = 0;  // behind its completion: copies, a mean; no call of MPI's
  virtual void let_go() = 0;                       // of what the two hold

 private:
  friend class MpiEngine;
  // `late`: what is wrong where it is none of MPI's codes; MPI may still write to the tensors then.
  void complete(const MPI_Status& status, int code, const std::string& late);
  void fill(c10::ivalue::Future& future) const;
  bool has_ended() const { return has_ended_.load(std::memory_order_acquire); }

  MpiEngine& engine_;
  Facts facts_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;  // under mutex_
  bool is_closed_ = false;                          // under mutex_: a future asked for from now on is filled at once
  std::exception_ptr failure_;                      // set before is_closed_
  std::atomic<bool> has_ended_ = false;
  std::chrono::steady_clock::time_point begun_{};
  std::uint64_t number_ = 0;
  int source_ = -1;
};

// Does nothing at a completion with which all is done.
struct NothingBehind {
  void operator()(const MPI_Status&) const {}
};

// Makes a work of two functions, `int begin(MPI_Request*)` and `void end(const MPI_Status&)`: one allocation, whatever they hold.
template <class Begin, class End>
class MpiCall final : public MpiWork {
 public:
  MpiCall(MpiEngine& engine, int rank, Facts facts, Begin begin, End end)
      : MpiWork(engine, rank, std::move(facts)), calls_(std::in_place, std::move(begin), std::move(end)) {}

 private:
  int begin(MPI_Request* begun) override { return calls_->first(begun); }
  void end(const MPI_Status& status) override { calls_->second(status); }
  void let_go() override { calls_.reset(); }

  std::optional<std::pair<Begin, End>> calls_;
};

}  // namespace ddpbench
