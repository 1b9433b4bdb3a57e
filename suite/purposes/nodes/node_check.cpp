#include "suite/purposes/nodes/node_check.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/profiler.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/part_file.hpp"
#include "suite/launch/drive_launch.hpp"
#include "suite/launch/launch_outcome.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/launch/machines/shared_folder.hpp"
#include "suite/runs/rank_outcomes.hpp"
#include "suite/runs/utc_time.hpp"

namespace ddpbench {
namespace {

// Beyond, it is not the nodes.
constexpr std::size_t kMostBroken = 3;

using Outcomes = std::vector<std::optional<Outcome>>;

LaunchSpec spec_of(const NodeCheckSetup& setup, std::size_t nodes, const std::string& part_dir) {
  LaunchSpec spec;
  spec.launch_id = spec.cell_id = "nodes";
  spec.purpose = purpose::kNodes;
  spec.nodes = static_cast<std::int64_t>(nodes);
  spec.ranks_per_node = setup.ranks_per_node;
  spec.workload = "null";  // of which nothing is trained
  spec.backend = setup.backend;
  spec.options[OptionGroup::kBackend] = setup.backend_options;
  spec.options[OptionGroup::kLauncher] = setup.launcher_options;
  spec.protocol.hang_timeout_seconds = setup.hang_timeout_seconds;
  spec.protocol.threads_per_rank = setup.threads_per_rank;
  spec.part_dir = part_dir;
  return spec;
}

// A launcher may order the nodes otherwise than they were given: where a rank's own word for its node is one of them, it counts.
std::vector<std::string> nodes_of_ranks(const LaunchSpec& spec, const std::vector<std::string>& hosts, const Outcomes& outcomes) {
  std::vector<std::string> nodes;
  for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
    nodes.push_back(hosts.at(rank / static_cast<std::size_t>(spec.ranks_per_node)));
    for (const auto& host : hosts) {
      if (outcomes[rank] && short_host_name(outcomes[rank]->host) == short_host_name(host)) nodes.back() = host;
    }
  }
  return nodes;
}

// "link_latency_s.4" is of the node of rank 4.
NodeCheckRow row_of(const MetricRow& metric, const std::vector<std::string>& nodes) {
  NodeCheckRow row;
  row.rank = metric.rank;
  row.node = nodes.at(static_cast<std::size_t>(metric.rank));
  const auto dot = metric.metric.find('.');
  row.check = metric.metric.substr(0, dot);
  if (dot != std::string::npos) row.peer = nodes.at(parse_number<std::size_t>(metric.metric.substr(dot + 1)).value_or(0));
  row.value = metric.value;
  row.unit = metric.unit;
  return row;
}

std::vector<NodeCheckRow> rows_of(const LaunchSpec& spec, const std::vector<std::string>& nodes, const std::string& started_utc) {
  std::vector<NodeCheckRow> rows;
  for (std::int64_t rank = 0; rank < spec.world_size(); ++rank) {
    const PartFile part(metrics_part(spec.part_dir, rank));
    std::map<std::string, std::int64_t> rounds;
    for (std::size_t i = 0; i < part.lines(); ++i) {
      const auto metric = part.row<MetricRow>(i);
      rows.push_back(row_of(metric, nodes));
      rows.back().started_utc = started_utc;
      rows.back().round = ++rounds[metric.metric];
    }
  }
  return rows;
}

LaunchEnd end_of_launch(const NodeCheckSetup& setup, const LaunchSpec& spec, const std::vector<std::string>& hosts) {
  auto program = worker_program(setup.installation);
  program.hosts = hosts;
  SignalInbox inbox;
  const LaunchListener deaf{[](std::string_view, std::string_view) {}, [](const RankProgress&) {}};
  return drive_to_end(*setup.launcher.start(spec, program, {deaf, {}}), inbox);
}

// Whether the rank broke without a word of its own. One that tells why it failed gave up because of another, or of what all have in common;
// so has one that says that the launch is a mistake.
bool broke_without_a_word(const LaunchEnd& end, const Outcomes& outcomes, std::size_t rank) {
  const auto& process = end.ranks.at(rank);
  return process && !process->clean() && !outcomes[rank] && process->exit_code != static_cast<int>(ExitCode::kUsage);
}

// The node that is at fault; "": none can be told from the others. Behind the first rank that broke, the others are ended by us, and some of
// them have no word either: so one that was lost or killed first is it.
std::string node_that_broke(const LaunchEnd& end, const Outcomes& outcomes, const std::vector<std::string>& nodes) {
  if (end.hang) return end.hang->rank < 0 ? "" : nodes.at(static_cast<std::size_t>(end.hang->rank));
  if (end.first_failed < 0) return "";
  const auto first = first_failed_rank(end);
  if (!broke_without_a_word(end, outcomes, first)) return "";
  if (!end.ranks[first]->lost.empty() || end.ranks[first]->signal != 0) return nodes[first];
  std::set<std::string> suspects;
  for (std::size_t rank = 0; rank < outcomes.size(); ++rank) {
    if (broke_without_a_word(end, outcomes, rank)) suspects.insert(nodes[rank]);
  }
  const bool all_are = suspects.size() == std::set<std::string>(nodes.begin(), nodes.end()).size();
  return all_are ? "" : nodes[first];
}

// One launch on all of `checked.hosts`; whether it is to be repeated without the node that broke it.
bool look_once(const NodeCheckSetup& setup, const std::string& part_dir, CheckedNodes& checked) {
  const auto spec = spec_of(setup, checked.hosts.size(), part_dir);
  const auto started = std::chrono::system_clock::now();
  const auto end = end_of_launch(setup, spec, checked.hosts);
  if (end.stopped_by_signal) {
    checked.stop_signal = end.stop_signal;
    return false;
  }
  const auto outcomes = read_outcomes(spec);
  const auto nodes = nodes_of_ranks(spec, checked.hosts, outcomes);
  const auto ended = judge(end, outcomes);
  if (const auto fact = ended.facts.find(kProfiledFact); fact != ended.facts.end()) checked.profiled = fact->second;
  if (ended.status == status::kOk) {
    checked.rows = rows_of(spec, nodes, utc_text(started));
    return false;
  }
  checked.failure = ended.reason;
  if (checked.broken.size() == kMostBroken) {
    checked.broken.clear();
    checked.hosts = setup.hosts;
    return false;
  }
  const auto node = node_that_broke(end, outcomes, nodes);
  if (node.empty()) return false;
  checked.broken.push_back({node, ended.reason});
  std::erase(checked.hosts, node);
  return checked.hosts.size() > 1;
}

}  // namespace

CheckedNodes check_nodes(const NodeCheckSetup& setup) {
  const SharedFolder folder("nodes");
  CheckedNodes checked{setup.hosts, {}, {}, "", ""};
  try {
    for (int attempt = 1; look_once(setup, folder.path() + "/" + std::to_string(attempt), checked); ++attempt) {
    }
  } catch (const Error& error) {  // what the sweep cannot do either, it tells itself
    checked.failure = error.what();
  }
  if (!checked.rows.empty()) checked.failure.clear();
  return checked;
}

}  // namespace ddpbench
