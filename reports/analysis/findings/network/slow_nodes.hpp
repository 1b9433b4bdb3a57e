#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

namespace node_finding {
inline constexpr const char* kOk = "ok";
inline constexpr const char* kSlow = "slow";
inline constexpr const char* kBroken = "broken";
}  // namespace node_finding

namespace node_source {
inline constexpr const char* kCheck = "check";  // before a sweep
inline constexpr const char* kSweep = "sweep";  // its own steps
}  // namespace node_source

// One node in one respect, against the others that did the same at the same time.
struct NodeRow {
  std::string node, source;
  std::string started_utc;  // of the check
  std::string check;        // of node_checks.hpp; of a sweep "useful_s", of a step: what is no waiting in collectives
  double value = kNotMeasured;
  double ratio = kNotMeasured, ratio_lo = kNotMeasured, ratio_hi = kNotMeasured;  // to the median of the other nodes
  std::int64_t samples = 0;                                                       // rounds, or blocks
  std::string finding{}, reason{};
};

// A node that takes so much longer for the same work is slow. Every training waits for its slowest rank, so each percent is paid by all; what
// is below is within what healthy nodes of one kind differ by.
inline constexpr double kSlowRatio = 1.1;

// Memory is shared with whatever else runs on the node, and its speed depends on where it lies.
inline constexpr double kSlowCopyRatio = 1.25;

// Of its best link against the median of all nodes' best ones, in each of three visits; no test stands behind it.
inline constexpr double kSlowLinkRatio = 1.5;

// That a node is called slow by chance by its work, of all that were looked at together (Holm); the sweep is a family of its own.
inline constexpr double kSlowAlpha = 0.01;

// Of each check in `rows` (by started_utc) a row for each node and what it did, in the order in which nodes stand there. Slow: the time of the node's slowest
// rank over the median of the other nodes' in the same round lies above its bound by Wilcoxon's signed-rank test; links by their bound alone.
// Broken: a wrong sum or product that other nodes had right. Of one node nothing can be said: no rows.
std::vector<NodeRow> judge_node_checks(std::span<const NodeCheckRow> rows);

// The same of the sweep's own blocks, by the references' time that is no waiting in collectives, over all launches on several nodes. None
// where a device computes: what the host sees there is not the work.
std::vector<NodeRow> nodes_of_sweep(const Study& study);

// Both.
std::vector<NodeRow> node_rows(const Study& study);

// "node2 is slow: the same product of matrices takes 1.98 [1.90, 2.05] times as long as on the other nodes", for each such node; the worst
// of its rows.
struct BadNode {
  std::string node, finding, reason;
};
std::vector<BadNode> bad_nodes(std::span<const NodeRow> rows);

}  // namespace ddpbench
