#include "suite/base/memory_kills.hpp"

#include <algorithm>
#include <fstream>

#include "suite/base/control_groups.hpp"
#include "suite/base/node_memory.hpp"

namespace ddpbench {
namespace {

// Of a file of lines "key value"; 0 where it does not say.
std::int64_t count_in(const std::string& path) {
  std::ifstream file(path);
  std::string key;
  for (std::int64_t value = 0; file >> key >> value;) {
    if (key == "oom_kill") return value;
  }
  return 0;
}

}  // namespace

MemoryKills memory_kills(const std::string& root) {
  MemoryKills kills;
  for (const auto& folder :
       control_group_folders("memory", root)) {  // version 2 counts in all groups around it, version 1 in its own
    for (const auto* file : {"/memory.events", "/memory.oom_control"})
      kills.of_group = std::max(kills.of_group, count_in(folder + file));
  }
  kills.of_system = count_in(root + "/proc/vmstat");
  return kills;
}

std::string why_killed_since(const MemoryKills& before, const std::string& root) {
  const auto now = memory_kills(root);
  if (now.of_group > before.of_group) {
    constexpr std::int64_t kMib = 1 << 20;
    return "for memory: the limit of its control group is " + std::to_string(node_memory_bytes(root) / kMib) + " MiB";
  }
  return now.of_system > before.of_system ? "while the system killed processes for memory" : "";
}

}  // namespace ddpbench
