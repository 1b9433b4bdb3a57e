#include "suite/base/node_memory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// "MemTotal:  24576000 kB", proc_meminfo(5).
std::int64_t total_bytes(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  for (std::string word; file >> word;) {
    std::int64_t kib = 0;
    if (word == "MemTotal:" && file >> kib) return kib * 1024;
  }
  return 0;
}

// "max" of version 2 is no number; version 1 writes a number beyond any memory.
void take_limit(const fs::path& file, std::int64_t& least) {
  std::int64_t bytes = 0;
  if (std::ifstream(file) >> bytes && bytes > 0) least = std::min(least, bytes);
}

// A group's limit holds for those below it. In a container the group's path may lie outside of what is mounted: then the mount's own root
// tells.
void take_limits(const fs::path& mounted, const std::string& group, const char* name, std::int64_t& least) {
  const auto inside = fs::path(group).relative_path();
  take_limit(mounted / name, least);
  for (auto below = inside; !below.empty(); below = below.parent_path()) take_limit(mounted / below / name, least);
}

}  // namespace

std::int64_t node_memory_bytes(const std::string& root) {
  auto least = total_bytes(root);
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/slurm/job_7", "5:memory:/slurm/job_7", cgroups(7)
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto group = line.substr(second + 1);
    if (controllers.empty()) take_limits(root + "/sys/fs/cgroup", group, "memory.max", least);
    if (controllers == "memory") take_limits(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", least);
  }
  return least;
}

}  // namespace ddpbench
