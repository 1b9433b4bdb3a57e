#pragma once
#include <sys/types.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ddpbench {

// Backends connect ranks by TCP and ask nobody who he is. On one machine the system knows.

// Returns the first user other than `own` and root, who may do everything anyway, at the other end of a loopback connection whose
// socket is one of `sockets`, by /proc/net/tcp (`table`); nullopt: none.
std::optional<uid_t> foreign_peer(std::string_view table, const std::set<std::string>& sockets, uid_t own);

// Throws Error where another user holds the other end of one of this process's loopback connections: he has taken the place of a
// rank. To be called when every rank has taken its connections.
void require_own_peers();

}  // namespace ddpbench
