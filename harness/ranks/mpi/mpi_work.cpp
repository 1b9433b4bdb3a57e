#include "harness/ranks/mpi/mpi_work.hpp"

#include "harness/ranks/mpi/mpi_engine.hpp"
#include "harness/ranks/mpi/mpi_errors.hpp"

namespace ddpbench {

MpiWork::MpiWork(MpiEngine& engine, int rank, Facts facts)
    : c10d::Work(rank, facts.type), engine_(engine), facts_(std::move(facts)) {}

std::string MpiWork::what() const {
  return facts_.type == c10d::OpType::BARRIER ? facts_.name
                                              : std::string(facts_.name) + " of " + std::to_string(facts_.bytes) + " B";
}

bool MpiWork::wait(std::chrono::milliseconds timeout) { return engine_.wait(*this, timeout); }

bool MpiWork::isCompleted() {
  if (!has_ended()) engine_.look_for_caller();
  return has_ended();
}

c10::intrusive_ptr<c10::ivalue::Future> MpiWork::getFuture() {
  const std::lock_guard lock(mutex_);
  if (future_) return future_;
  future_ = c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()));
  if (is_closed_) {
    fill(*future_);
  } else {
    engine_.help();
  }
  return future_;
}

void MpiWork::fill(c10::ivalue::Future& future) const {
  if (failure_) {
    future.setErrorIfNeeded(failure_);
  } else {
    future.markCompleted(at::IValue(facts_.results));
  }
}

void MpiWork::complete(const MPI_Status& status, int code, const std::string& late) {
  try {
    if (!late.empty()) throw Error("mpi: " + what() + ": " + late);
    if (code != MPI_SUCCESS) require_mpi(code, what());  // words are for failures only: this is every collective's way
    source_ = status.MPI_SOURCE;
    end(status);
  } catch (...) {
    failure_ = std::current_exception();
  }
  if (late.empty()) let_go();
  c10::intrusive_ptr<c10::ivalue::Future> future;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    future = future_;
  }
  if (future) {  // its callbacks first: who has waited may rely on them
    engine_.no_more_help();
    fill(*future);
  }
  has_ended_.store(true, std::memory_order_release);
  finish(failure_);
}

}  // namespace ddpbench
