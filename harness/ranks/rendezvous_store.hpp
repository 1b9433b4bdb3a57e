#pragma once
#include <chrono>
#include <optional>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "suite/contract/processes/rank_info.hpp"

namespace ddpbench {

// Names how long a rank under a driver waits for the others to start at least: the first start of a program on a machine may take
// so long, and a driver finds sooner who stands still.
inline constexpr std::chrono::milliseconds kStartPatience{60'000};
// Opens the store in which the ranks of one launch meet; rank 0 serves it, or the launcher does. Returns once every rank is
// there; throws Error where one is not within `timeout`, or within `least_patience` where that is longer (none given:
// kStartPatience under a driver, else `timeout`). `timeout` holds for what is asked of the store afterwards.
//
// Ranks of one machine meet at a socket that takes ranks of this launch only (store_server.hpp). Ranks of several machines meet
// in c10d's TCPStore, which takes whoever can reach its port (docs/security.md).
c10::intrusive_ptr<c10d::Store> open_store(const RankInfo& info, std::chrono::milliseconds timeout,
                                           std::optional<std::chrono::milliseconds> least_patience = std::nullopt);

}  // namespace ddpbench
