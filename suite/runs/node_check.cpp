#include "suite/runs/node_check.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "suite/base/numbers.hpp"
#include "suite/contract/outcome.hpp"
#include "suite/contract/part_file.hpp"
#include "suite/contract/purpose.hpp"
#include "suite/contract/status.hpp"
#include "suite/launch/judgement.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/launch/shared_folder.hpp"
#include "suite/launch/watch.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

// Beyond, it is not the nodes.
constexpr int kMostBroken = 3;

LaunchSpec spec_of(const NodeCheckSetup& setup, std::size_t nodes, const std::string& part_dir) {
  LaunchSpec spec;
  spec.launch_id = spec.cell_id = "nodes";
  spec.purpose = purpose::kNodes;
  spec.nodes = static_cast<std::int64_t>(nodes);
  spec.ranks_per_node = setup.ranks_per_node;
  spec.workload = "null";  // of which nothing is trained
  spec.backend = setup.backend;
  spec.options[Holder::kBackend] = setup.backend_options;
  spec.options[Holder::kLauncher] = setup.launcher_options;
  spec.protocol.hang_timeout_seconds = setup.hang_timeout_seconds;
  spec.part_dir = part_dir;
  return spec;
}

// "link_latency_s.4" is of the node of rank 4.
NodeCheckRow row_of(const MetricRow& metric, const std::vector<std::string>& hosts, std::int64_t ranks_per_node) {
  const auto node_of = [&](std::int64_t rank) { return hosts.at(static_cast<std::size_t>(rank / ranks_per_node)); };
  NodeCheckRow row;
  row.rank = metric.rank;
  row.node = node_of(metric.rank);
  const auto dot = metric.metric.find('.');
  row.check = metric.metric.substr(0, dot);
  if (dot != std::string::npos) row.peer = node_of(parse_number<std::int64_t>(metric.metric.substr(dot + 1)).value_or(0));
  row.value = metric.value;
  row.unit = metric.unit;
  return row;
}

std::vector<NodeCheckRow> rows_of(const LaunchSpec& spec, const std::vector<std::string>& hosts, const std::string& started_utc) {
  std::vector<NodeCheckRow> rows;
  for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) {
    const PartFile part(metrics_part(spec.part_dir, rank));
    std::map<std::string, std::int64_t> rounds;
    for (std::size_t i = 0; i < part.lines(); ++i) {
      const auto metric = part.row<MetricRow>(i);
      rows.push_back(row_of(metric, hosts, spec.ranks_per_node));
      rows.back().started_utc = started_utc;
      rows.back().round = ++rounds[metric.metric];
    }
  }
  return rows;
}

std::vector<std::optional<Outcome>> outcomes_of(const LaunchSpec& spec) {
  std::vector<std::optional<Outcome>> outcomes;
  for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) outcomes.push_back(read_outcome(spec.part_dir, rank));
  return outcomes;
}

// The node of the rank that broke first; "": none is known.
std::string node_that_broke(const LaunchEnd& end, const std::vector<std::string>& hosts, std::int64_t ranks_per_node) {
  const auto rank = end.hang && end.hang->rank >= 0 ? end.hang->rank : end.first_failed;
  return rank < 0 ? "" : hosts.at(static_cast<std::size_t>(rank / ranks_per_node));
}

// One launch on all of `checked.hosts`; whether it is to be repeated without the node that broke it.
bool look_once(const NodeCheckSetup& setup, const std::string& part_dir, CheckedNodes& checked) {
  const auto spec = spec_of(setup, checked.hosts.size(), part_dir);
  auto program = worker_program(setup.installation);
  program.hosts = checked.hosts;
  const auto started = std::chrono::system_clock::now();
  LaunchEnd end;
  {
    SignalInbox inbox;
    const LaunchListener deaf{[](std::string_view, std::string_view) {}, [](const RankProgress&) {}};
    end = watch(*setup.launcher.start(spec, program, {deaf, {}}), inbox);
  }
  if (end.stopped_by_signal) {
    checked.stop_signal = end.stop_signal;
    return false;
  }
  const auto fate = judge(end, outcomes_of(spec));
  if (fate.status == status::kOk) {
    checked.rows = rows_of(spec, checked.hosts, utc_text(started));
    return false;
  }
  const auto node = node_that_broke(end, checked.hosts, setup.ranks_per_node);
  checked.failure = fate.reason;
  if (node.empty() || checked.broken.size() == kMostBroken) return false;
  checked.broken.push_back({node, fate.reason});
  std::erase(checked.hosts, node);
  return checked.hosts.size() > 1;
}

}  // namespace

CheckedNodes check_nodes(const NodeCheckSetup& setup) {
  const SharedFolder folder("nodes");
  CheckedNodes checked{setup.hosts, {}, {}, ""};
  for (int attempt = 1; look_once(setup, folder.path() + "/" + std::to_string(attempt), checked); ++attempt) {
  }
  if (!checked.rows.empty()) checked.failure.clear();
  return checked;
}

}  // namespace ddpbench
