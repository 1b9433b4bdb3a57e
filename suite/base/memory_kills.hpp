#pragma once
#include <cstdint>
#include <string>

namespace ddpbench {

// Counts the processes that the system has killed for memory since it began: in this process's control group, because of a limit,
// and in all.
struct MemoryKills {
  std::int64_t of_group = 0, of_system = 0;
};
MemoryKills memory_kills(const std::string& root = "");  // `root` stands before every path, for tests

// Says why a process was killed between `before` and now: "for memory: the limit of its control group is 500 MiB", "for memory:
// the system had none left" where none is limited, or "while the system killed processes for memory" where those were of other
// groups; "" where none was.
std::string why_killed_since(const MemoryKills& before, const std::string& root = "");

}  // namespace ddpbench
