#pragma once
#include "harness/api/torch.hpp"

namespace ddpbench {

enum class Reduction { kSum, kMean, kMin, kMax };  // kMean: of floating-point tensors

// Lets arms and the trainer ask the other ranks in a step: for a logged value over all ranks, or a decision of rank 0. Its calls
// go over the measured process group, so they cost what the group costs and the observing log counts them. (ControlChannel is for
// what no step may pay.)
//
// Collective: all ranks make the same calls in the same order, with tensors of one shape and type on the session's device;
// between a step's own collectives, not during them. A call returns when its result may be used: on the CPU when it is there, on
// a GPU when it is queued. Throws what the backend throws where a peer is gone. One per launch, owned by its RankGroup.
//
// The base class serves a rank without a group: it exchanges nothing.
class Collectives {
 public:
  virtual ~Collectives() = default;
  virtual std::int64_t rank() const { return 0; }
  virtual std::int64_t world_size() const { return 1; }

  virtual void broadcast(at::Tensor& /*tensor*/, std::int64_t /*from_rank*/ = 0) {}
  virtual void all_reduce(at::Tensor& /*tensor*/, Reduction /*how*/ = Reduction::kSum) {}
  virtual at::Tensor all_gather(const at::Tensor& mine) { return mine.unsqueeze(0).clone(); }  // returns [world_size, …], by rank
  virtual void barrier() {}

  // Sends a tensor to one other rank and holds that rank's afterwards. Only these two make the call, each with the other's
  // number.
  virtual void swap_with(at::Tensor& /*tensor*/, std::int64_t /*peer*/) {}
};

// Returns the Collectives that every session without a process group shares.
inline Collectives& one_rank() {
  static Collectives alone;
  return alone;
}

}  // namespace ddpbench
