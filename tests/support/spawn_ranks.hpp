#pragma once
#include <functional>
#include <string>

#include "suite/contract/processes/rank_info.hpp"

namespace ddpbench {

// Runs `body` in `world_size` real processes that can meet on the loopback address. Returns "" when all of them returned normally within
// `timeout_seconds`, else what the first failing rank said (its exception's text, or the signal that ended it). Children that are left
// are killed. The calling process must not have started threads.
std::string spawn_ranks(int world_size, const std::function<void(const RankInfo&)>& body, int timeout_seconds = 120);

// Throws with `what` where the condition does not hold: an assertion that a rank can make.
void require(bool condition, const std::string& what);

}  // namespace ddpbench
