#pragma once
#include <cstdint>
#include <vector>

#include "harness/api/session.hpp"

namespace ddpbench {

// Returns what a snapshot copies of the session's training, its loss scale last, or of an arm's own where `own` is one.
std::vector<at::Tensor> state_of(Session& session, Training* own);

// Holds the whole state of a training: parameters, buffers, optimizer state, loss scale, random generators, data position. Gives
// it back (Training::take_state) to any training of the launch: they have the same tensors. Take it after the first step:
// optimizer state appears with it.
class Snapshot {
 public:
  // Copies the session's training, or an arm's own where `own` is one.
  explicit Snapshot(Session& session, Training* own = nullptr);
  void take(Session& session, Training* own = nullptr);  // anew, into the same memory
  void restore(Session& session, Training* own = nullptr) const;
  void restore_state(Session& session, Training* own = nullptr) const;  // all but the data position

 private:
  std::vector<at::Tensor> tensors_;
  std::vector<at::Tensor> generator_states_;  // the CPU's, then that of the session's device
  std::int64_t position_;
};

// Returns a 64-bit digest of the bytes of `tensors`: equal state, equal digest; any other bit, another digest (but for one chance
// in 2^64).
std::uint64_t digest_of(const std::vector<at::Tensor>& tensors);

}  // namespace ddpbench
