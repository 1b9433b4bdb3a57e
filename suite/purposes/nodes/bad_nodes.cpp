#include "suite/purposes/nodes/bad_nodes.hpp"

#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"
#include "suite/runs/cached_table.hpp"

namespace ddpbench {
std::filesystem::path bad_nodes_path() {
  const auto cache = cache_folder();
  return cache.empty() ? std::filesystem::path() : std::filesystem::path(cache) / "bad-nodes.csv";
}

std::vector<KnownBadNode> known_bad_nodes(const std::string& since_utc) {
  auto known = read_cached_table<KnownBadNode>(bad_nodes_path());
  std::erase_if(known, [&](const KnownBadNode& one) { return one.found_utc < since_utc; });
  return known;
}

void remember_bad_nodes(const std::vector<std::string>& looked_at, const std::vector<KnownBadNode>& found) {
  const auto path = bad_nodes_path();
  if (path.empty()) return;
  auto known = known_bad_nodes("");
  const auto before = known.size();
  std::erase_if(known, [&](const KnownBadNode& one) { return holds(looked_at, one.node); });
  if (found.empty() && known.size() == before) return;
  known.insert(known.end(), found.begin(), found.end());
  write_cached_table(path, known);
}

}  // namespace ddpbench
