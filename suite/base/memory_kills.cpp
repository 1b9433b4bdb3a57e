#include "suite/base/memory_kills.hpp"

#include <fstream>
#include <optional>

#include "suite/base/control_groups.hpp"
#include "suite/base/node_memory.hpp"

namespace ddpbench {
namespace {

// Of a file of lines "key value"; nothing where it does not say.
std::optional<std::int64_t> count_in(const std::string& path) {
  std::ifstream file(path);
  std::string key;
  for (std::int64_t value = 0; file >> key >> value;) {
    if (key == "oom_kill") return value;
  }
  return std::nullopt;
}

// Of the innermost group that counts: those around it count what befalls others, too.
std::int64_t count_of_group(const std::string& root) {
  for (const auto& folder : control_group_folders("memory", root)) {
    for (const auto* file : {"/memory.events", "/memory.oom_control"}) {  // of version 2, of version 1
      if (const auto count = count_in(folder + file)) return *count;
    }
  }
  return 0;
}

}  // namespace

MemoryKills memory_kills(const std::string& root) { return {count_of_group(root), count_in(root + "/proc/vmstat").value_or(0)}; }

std::string why_killed_since(const MemoryKills& before, const std::string& root) {
  const auto now = memory_kills(root);
  const auto limit = node_memory_bytes(root);
  constexpr std::int64_t kMib = 1 << 20;
  if (now.of_group > before.of_group && limit < machine_memory_bytes(root))
    return "for memory: the limit of its control group is " + std::to_string(limit / kMib) + " MiB";
  if (now.of_group > before.of_group) return "for memory: the system had none left";
  return now.of_system > before.of_system ? "while the system killed processes for memory" : "";
}

}  // namespace ddpbench
