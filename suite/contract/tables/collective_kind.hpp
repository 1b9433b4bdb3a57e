#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ddpbench {

// Says which collective a process group was asked for.
enum class CollectiveKind : std::uint8_t {
  kAllreduce,
  kBroadcast,
  kReduce,
  kAllgather,
  kGather,
  kScatter,
  kReduceScatter,
  kAlltoall,
  kSend,
  kReceive,
  kBarrier,
  kCoalesced  // those between startCoalescing and endCoalescing, as one
};
// Counts the kinds above.
inline constexpr std::size_t kCollectiveKinds = 12;

// Names each kind in its order, as names of metrics have it.
inline constexpr std::array<std::string_view, kCollectiveKinds> kCollectiveKindNames{
    "allreduce",      "broadcast", "reduce", "allgather", "gather",  "scatter",
    "reduce_scatter", "alltoall",  "send",   "receive",   "barrier", "coalesced"};

// Returns the kind's name.
constexpr std::string_view name_of(CollectiveKind kind) { return kCollectiveKindNames.at(static_cast<std::size_t>(kind)); }

}  // namespace ddpbench
