#include "suite/base/node_memory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "suite/base/control_groups.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// "max" of version 2 is no number; version 1 writes a number beyond any memory.
void take_limit(const fs::path& file, std::int64_t& least) {
  std::int64_t bytes = 0;
  if (std::ifstream(file) >> bytes && bytes > 0) least = std::min(least, bytes);
}

}  // namespace

// "MemTotal:  24576000 kB", proc_meminfo(5).
std::int64_t machine_memory_bytes(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  for (std::string word; file >> word;) {
    std::int64_t kib = 0;
    if (word == "MemTotal:" && file >> kib) return kib * 1024;
  }
  return 0;
}

std::int64_t node_memory_bytes(const std::string& root) {
  auto least = machine_memory_bytes(root);
  for (const auto& folder : control_group_folders("memory", root)) {  // a group's limit holds for those below it
    for (const auto* file : {"memory.max", "memory.limit_in_bytes"}) take_limit(fs::path(folder) / file, least);
  }
  return least;
}

}  // namespace ddpbench
