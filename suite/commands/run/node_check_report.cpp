#include "suite/commands/run/node_check_report.hpp"

#include <chrono>
#include <iostream>

#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/purposes/nodes/bad_nodes.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {

NodeCheckReport check_and_judge_nodes(const NodeCheckSetup& setup) {
  std::cerr << "looking at " << counted(static_cast<std::int64_t>(setup.hosts.size()), "node") << ", "
            << counted(setup.ranks_per_node, "rank") << " on each, over " << setup.backend << " …" << std::endl;
  NodeCheckReport look{check_nodes(setup), {}};
  look.answer = node_answer(look.checked.rows);
  for (const auto& broken : look.checked.broken) {
    look.answer.bad.push_back({broken.node, node_finding::kBroken, broken.node + " is broken: " + broken.reason});
  }
  return look;
}

void print_nodes(const NodeCheckReport& look, std::ostream& out) {
  out << look.answer.table;
  for (const auto& bad : look.answer.bad) out << printable(bad.reason) << '\n';
  if (!look.checked.failure.empty()) out << "the nodes could not be compared: " << printable(look.checked.failure) << '\n';
  out << std::flush;
}

std::vector<std::string> looked_at(const NodeCheckReport& look) {
  auto nodes = look.checked.rows.empty() ? std::vector<std::string>{} : look.checked.hosts;
  for (const auto& broken : look.checked.broken) nodes.push_back(broken.node);
  return nodes;
}

void remember_nodes(const std::vector<std::string>& looked_at, std::span<const BadNode> bad, const std::string& results) {
  const auto now = utc_text(std::chrono::system_clock::now());
  std::vector<KnownBadNode> found;
  for (const auto& one : bad) found.push_back({one.node, now, one.finding, one.reason, results});
  remember_bad_nodes(looked_at, found);
}

void remember_look(const NodeCheckReport& look, const std::string& results) {
  if (look.checked.profiled.empty()) remember_nodes(looked_at(look), look.answer.bad, results);
}

}  // namespace ddpbench
