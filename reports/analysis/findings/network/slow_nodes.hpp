#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/findings.hpp"

namespace ddpbench {

namespace node_finding {
inline constexpr const char* kOk = "ok";          // as fast as the others
inline constexpr const char* kSlow = "slow";      // slower than a bound below allows
inline constexpr const char* kBroken = "broken";  // computed or received something wrong
}  // namespace node_finding

namespace node_source {
inline constexpr const char* kCheck = "check";  // before a sweep
inline constexpr const char* kSweep = "sweep";  // its own steps
}  // namespace node_source

// Holds one node in one respect, against the others that did the same at the same time.
struct NodeRow {
  std::string node, source;
  std::string started_utc;  // of the check
  std::string check;        // of node_checks.hpp; of a sweep "useful_s", of a step: what is no waiting in collectives
  double value = kNotMeasured;
  Estimate ratio{};          // to the median of the other nodes
  std::int64_t samples = 0;  // rounds, or blocks
  std::string finding{}, reason{};
};

// A node whose work takes this many times as long is slow. Every training waits for its slowest rank, so each percent is paid by
// all; healthy nodes of one kind differ by less.
inline constexpr double kSlowRatio = 1.1;

// The same for copies: memory is shared with whatever else runs on the node, and its speed depends on where it lies.
inline constexpr double kSlowCopyRatio = 1.25;

// The same for a node's best link against the median of all nodes' best ones, in each of three visits; no test stands behind it.
inline constexpr double kSlowLinkRatio = 1.5;

// Bounds the chance that a node is called slow by its work where none is, of all that were looked at together (Holm); the sweep
// is a family of its own.
inline constexpr double kSlowAlpha = 0.01;

// Judges each check in `rows` (by started_utc): a row for each node and what it did, in the order in which nodes stand there.
// Slow: the time of the node's slowest rank over the median of the other nodes' in the same round lies above its bound by
// Wilcoxon's signed-rank test; links by their bound alone. Broken: a wrong sum or product that other nodes had right. Makes no
// rows of one node, which nothing can be compared with.
std::vector<NodeRow> judge_node_checks(std::span<const NodeCheckRow> rows);

// Judges the sweep's own blocks alike, by the references' time that is no waiting in collectives, over all launches on several
// nodes. None where a device computes: what the host sees there is not the work. Without `with_profiled` launches count that ran
// under no profiler.
std::vector<NodeRow> nodes_of_sweep(const Study& study, bool with_profiled = true);

// Returns the rows of the checks, then of the sweep.
std::vector<NodeRow> node_rows(const Study& study);
template <>
std::vector<NodeRow> make_finding(const Findings& findings);

// Names a node that is slow or broken, and the worst of its rows: "node2 is slow: the same product of matrices takes 1.98 [1.90,
// 2.05] times as long as on the other nodes".
struct BadNode {
  std::string node, finding, reason;
};
// Returns one for each node that is not ok in some row.
std::vector<BadNode> bad_nodes(std::span<const NodeRow> rows);

}  // namespace ddpbench
