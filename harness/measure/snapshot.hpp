#pragma once
#include <cstdint>
#include <vector>

#include "harness/api/session.hpp"

namespace ddpbench {

// The whole state of a training: parameters, buffers, optimizer state, loss scale, random generators, data position. Restored in place, so that every
// holder of a tensor (Reducer, optimizer) sees it. Take it after the first step: optimizer state appears with it.
class Snapshot {
 public:
  explicit Snapshot(Session& session);
  void take(Session& session);  // anew, into the same memory
  void restore(Session& session) const;
  void restore_state(Session& session) const;  // all but the data position

 private:
  std::vector<at::Tensor> tensors_;
  std::vector<at::Tensor> generator_states_;  // the CPU's, then that of the session's device
  std::int64_t position_;
};

// A 64-bit digest of the bytes of `tensors`: equal state, equal digest; any other bit, another digest (but for one chance in 2^64).
std::uint64_t digest_of(const std::vector<at::Tensor>& tensors);

}  // namespace ddpbench
