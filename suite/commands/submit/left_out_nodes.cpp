#include "suite/commands/submit/left_out_nodes.hpp"

#include <iostream>

#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/launch/machines/host_list.hpp"
#include "suite/purposes/nodes/bad_nodes.hpp"
#include "suite/runs/submission.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

constexpr const char* kNoNodes = "none";

std::vector<std::string> given_nodes(const std::string& given, const BatchSystem& system) {
  if (system.exclude_option.empty())
    throw UsageError("--exclude: batch system '" + std::string(system.name) +
                     "' has no option to leave nodes out; `run` looks at the nodes when the job begins");
  auto nodes = split(given, ',');
  for (const auto& node : nodes) {
    if (!is_host_name(node)) throw UsageError("--exclude " + printable(given) + ": must be NODE,NODE or none");
  }
  return nodes;
}

}  // namespace

std::vector<std::string> nodes_to_leave_out(const std::string& given, const BatchSystem& system,
                                            std::chrono::system_clock::time_point now) {
  if (given == kNoNodes) return {};
  if (!given.empty()) return given_nodes(given, system);
  const auto known = known_bad_nodes(utc_text(now - std::chrono::hours(24 * kBadNodesDays)));
  if (known.empty()) return {};
  const auto nodes = nodes_of(system);
  std::vector<std::string> left_out;
  for (const auto& bad : known) {
    if (!holds(nodes, bad.node)) continue;  // of another cluster
    left_out.push_back(bad.node);
    std::cout << "left out: " << printable(bad.reason) << " (found " << printable(bad.found_utc.substr(0, 10)) << ")\n";
  }
  if (!left_out.empty()) std::cout << "  to use them again: --exclude none; the list is " << bad_nodes_path().string() << "\n";
  return left_out;
}

}  // namespace ddpbench
