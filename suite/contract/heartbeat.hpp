#pragma once
#include <atomic>
#include <cstdint>

#include "suite/contract/phase.hpp"

namespace ddpbench {

// Holds the number of the descriptor of the memory that a rank shares with its driver; not set where nobody watches.
inline constexpr const char* kHeartbeatVariable = "DDPBENCH_HEARTBEAT_FD";

// Where one rank is, in memory that it shares with the driver. The rank stores and never calls the system, so that a step pays a
// nanosecond; the driver reads when nothing moves any more.
struct Heartbeat {
  std::atomic<std::int64_t> phase_changes{0};  // since the start. Ranks do the same steps: one that has fewer is behind
  std::atomic<std::int64_t> super_blocks{0};   // finished
  std::atomic<Phase> phase{Phase::kOther};

  // One thread writes: a load and a store, not an atomic addition.
  void enter(Phase next) {
    phase.store(next, std::memory_order_relaxed);
    phase_changes.store(phase_changes.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<Phase>::is_always_lock_free,
              "shared by two processes");

// This process's own: the driver's memory, or memory that nobody reads.
Heartbeat& own_heartbeat();

}  // namespace ddpbench
