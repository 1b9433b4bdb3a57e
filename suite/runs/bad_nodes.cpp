#include "suite/runs/bad_nodes.hpp"

#include <system_error>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/surroundings.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/csv_reader.hpp"
#include "suite/contract/csv_writer.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kMostBytesOfBadNodes = 4 << 20;

}  // namespace

std::filesystem::path bad_nodes_path() {
  const auto cache = cache_folder();
  return cache.empty() ? std::filesystem::path() : std::filesystem::path(cache) / "bad-nodes.csv";
}

std::vector<KnownBadNode> known_bad_nodes(const std::string& since_utc) {
  std::vector<KnownBadNode> known;
  try {
    const auto path = bad_nodes_path().string();
    if (!path.empty()) known = read_csv_text<KnownBadNode>(read_file(path, kMostBytesOfBadNodes), path);
  } catch (const Error&) {
    return {};
  }
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
  auto text = csv_header<KnownBadNode>();
  for (const auto& one : known) append_csv_row(text, one);
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  try {
    replace_file(path.string(), text);
  } catch (const Error&) {  // the next `submit` does not know
  }
}

}  // namespace ddpbench
