#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "suite/contract/tables/collective_kind.hpp"
#include "suite/contract/tables/phase.hpp"

namespace ddpbench {

// Holds the path of the memory in which the ranks of one machine tell its driver where they are: one Heartbeat each, rank
// $LOCAL_RANK's at that place. Not set where nobody watches.
inline constexpr const char* kHeartbeatsVariable = "DDPBENCH_HEARTBEATS";

// Says how far a rank has come that has not begun its first step.
enum class StartUp : std::int32_t { kLoading, kRendezvous, kPreparing };

// Names each StartUp in messages, in its order.
inline constexpr std::array<const char*, 3> kStartUpWords{"loading", "at the rendezvous", "making its training"};

// Is two lines of the cache, which the processor fetches together: ranks that store at the same time must not wait for each
// other.
inline constexpr std::size_t kHeartbeatBytes = 128;

// How many characters of an arm's name a rank tells.
inline constexpr std::size_t kHeartbeatArmBytes = 40;

// Says where one rank is, in memory that it shares with the driver. The rank stores and never calls the system, so that a step
// pays a nanosecond; the driver reads when nothing moves any more.
struct alignas(kHeartbeatBytes) Heartbeat {
  std::atomic<std::int64_t> phase_changes{0};  // since the start. Ranks do the same steps: one that has fewer is behind
  std::atomic<std::int64_t> super_blocks{0};   // finished
  std::atomic<Phase> phase{Phase::kOther};
  std::atomic<std::int32_t> pid{0};  // of the rank's process; 0: it has not begun
  std::atomic<StartUp> start_up{StartUp::kLoading};
  std::atomic<std::int64_t> waits_ms{0};  // so long a collective of it waits for peers now; 0: it has made no backend yet

  std::atomic<std::int64_t> collectives{0};       // that it has called on the backend that it observes
  std::atomic<std::int64_t> collective_bytes{0};  // of the last of them
  std::atomic<CollectiveKind> collective{CollectiveKind::kAllreduce};
  std::array<std::atomic<char>, kHeartbeatArmBytes> arm{};  // whose step or training runs; ends with 0 where it is shorter

  // One thread at a time writes: a load and a store, not an atomic addition.
  void enter(Phase next) {
    phase.store(next, std::memory_order_relaxed);
    phase_changes.store(phase_changes.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void call(CollectiveKind kind, std::int64_t bytes) {
    collective.store(kind, std::memory_order_relaxed);
    collective_bytes.store(bytes, std::memory_order_relaxed);
    collectives.store(collectives.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void name_arm(std::string_view name) {
    for (std::size_t i = 0; i < arm.size(); ++i) arm.at(i).store(i < name.size() ? name[i] : '\0', std::memory_order_relaxed);
  }
  std::string arm_name() const {
    std::string name;
    for (const auto& letter : arm) name += letter.load(std::memory_order_relaxed);
    const auto end = name.find('\0');
    return end == std::string::npos ? name + "..." : name.substr(0, end);
  }
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<Phase>::is_always_lock_free &&
                  std::atomic<std::int32_t>::is_always_lock_free && std::atomic<StartUp>::is_always_lock_free &&
                  std::atomic<CollectiveKind>::is_always_lock_free && std::atomic<char>::is_always_lock_free,
              "shared by two processes");
static_assert(sizeof(Heartbeat) == kHeartbeatBytes);

// Tells which arm's step or training begins. Of the one that was told last it costs a comparison of names.
void tell_arm(const std::string& name);

// Returns this process's own: the driver's memory, or memory that nobody reads. The first call tells the driver this process's
// id.
Heartbeat& own_heartbeat();

}  // namespace ddpbench
