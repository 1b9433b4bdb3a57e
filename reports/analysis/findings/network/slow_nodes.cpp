#include "reports/analysis/findings/network/slow_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "reports/analysis/findings/network/rank_skew.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/node_checks.hpp"
#include "suite/estimates/holm.hpp"
#include "suite/estimates/quantity.hpp"

namespace ddpbench {
namespace {

// Times of one thing by node, launch and round; the slowest rank's where several have one.
class NodeTimes {
 public:
  void add(const std::string& node, std::size_t launch, std::int64_t round, double seconds) {
    if (!(seconds > 0) || !std::isfinite(seconds)) return;
    if (!holds(nodes_, node)) nodes_.push_back(node);
    auto& slowest = times_[{launch, round}][node];
    slowest = std::max(slowest, seconds);
  }

  const std::vector<std::string>& nodes() const { return nodes_; }  // in the order in which they were added

  double median_of(const std::string& node) const {
    std::vector<double> values;
    for (const auto& [key, of_nodes] : times_) {
      const auto found = of_nodes.find(node);
      if (found != of_nodes.end()) values.push_back(found->second);
    }
    return median(std::move(values));
  }

  // The log of the node's time over the median of the others', round by round.
  LaunchPairs log_ratios(const std::string& node) const {
    std::map<std::size_t, std::vector<double>> launches;
    for (const auto& [key, of_nodes] : times_) {
      const auto own = of_nodes.find(node);
      if (own == of_nodes.end() || of_nodes.size() < 2) continue;
      std::vector<double> others;
      for (const auto& [other, seconds] : of_nodes) {
        if (other != node) others.push_back(seconds);
      }
      launches[key.first].push_back(std::log(own->second / median(std::move(others))));
    }
    LaunchPairs pairs;
    for (auto& [launch, values] : launches) pairs.push_back(std::move(values));
    return pairs;
  }

 private:
  std::vector<std::string> nodes_;
  std::map<std::pair<std::size_t, std::int64_t>, std::map<std::string, double>> times_;
};

// Rows that are judged together.
class NodeVerdict {
 public:
  void add(const NodeTimes& times, const std::string& source, const NodeCheck& check, double bound) {
    for (const auto& node : times.nodes()) {
      const auto pairs = times.log_ratios(node);
      if (pairs.empty()) continue;
      const double log_bound[] = {std::log(bound)};
      const Quantity quantity(Location::kCentre, pairs, log_bound, kDefaultConfidence);
      const auto log_ratio = quantity.estimate();
      NodeRow row{node, source, "", std::string(check.name), times.median_of(node)};
      row.ratio = mapped(log_ratio, [](double log) { return std::exp(log); });
      for (const auto& launch : pairs) row.samples += static_cast<std::int64_t>(launch.size());
      rows_.push_back(std::move(row));
      tests_.push_back({&check, quantity.p_above(log_bound[0])});
    }
  }

  std::vector<NodeRow> rows() {
    std::vector<double> p;
    for (const auto& test : tests_) p.push_back(test.p);
    const auto adjusted = holm_adjusted(p);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool is_slow = adjusted[i] < kSlowAlpha;
      rows_[i].finding = is_slow ? node_finding::kSlow : node_finding::kOk;
      if (is_slow) rows_[i].reason = words(rows_[i], *tests_[i].check);
    }
    return std::move(rows_);
  }

 private:
  struct Test {
    const NodeCheck* check;
    double p;
  };

  static std::string words(const NodeRow& row, const NodeCheck& check) {
    return std::string(check.what) + " takes " + number_text(row.ratio.value) + " " + bounds(row) +
           " times as long as on the other nodes";
  }

  static std::string bounds(const NodeRow& row) {
    return "[" + number_text(row.ratio.lo) + ", " + number_text(row.ratio.hi) + "]";
  }

  std::vector<NodeRow> rows_;
  std::vector<Test> tests_;
};

// The rows of one check.
class OneCheck {
 public:
  OneCheck(std::span<const NodeCheckRow> rows, std::string started_utc) : started_utc_(std::move(started_utc)) {
    for (const auto& row : rows) {
      if (row.started_utc != started_utc_) continue;
      rows_.push_back(&row);
      if (!holds(nodes_, row.node)) nodes_.push_back(row.node);
    }
  }

  const std::string& started_utc() const { return started_utc_; }
  const std::vector<std::string>& nodes() const { return nodes_; }

  NodeTimes times_of(const NodeCheck& check) const {
    NodeTimes times;
    for (const auto* row : rows_) {
      if (row->check == check.name) times.add(row->node, 0, row->round, row->value);
    }
    return times;
  }

  double sum_of(const NodeCheck& check, const std::string& node) const {
    double sum = 0;
    for (const auto* row : rows_) {
      if (row->check == check.name && row->node == node) sum += row->value;
    }
    return sum;
  }

  // The smallest that a link of each node took, visit by visit (the rows' rounds).
  std::map<std::int64_t, std::map<std::string, double>> best_links(const NodeCheck& check) const {
    std::map<std::int64_t, std::map<std::string, double>> best;
    for (const auto* row : rows_) {
      if (row->check != check.name) continue;
      const auto found = best[row->round].try_emplace(row->node, row->value).first;
      found->second = std::min(found->second, row->value);
    }
    return best;
  }

 private:
  std::string started_utc_;
  std::vector<const NodeCheckRow*> rows_;
  std::vector<std::string> nodes_;
};

// What else ran on its cores, where that is why it is slow.
std::string share_phrase(const OneCheck& check, const std::string& node) {
  const double wall_s = check.times_of(node_check::kProduct).median_of(node);
  const double cpu_s = check.times_of(node_check::kProductCpu).median_of(node);
  constexpr double kHasItsCore = 0.9;
  if (!(cpu_s / wall_s < kHasItsCore)) return "";
  return "; its thread had a core for " + number_text(100 * cpu_s / wall_s, 2) +
         " % of that time: something else runs on its cores";
}

void explain(std::vector<NodeRow>& rows, const OneCheck& check) {
  for (auto& row : rows) {
    if (row.finding == node_finding::kSlow && row.check == node_check::kProduct.name) row.reason += share_phrase(check, row.node);
  }
}

struct BestLink {
  double seconds = kNotMeasured;
  double ratio = kNotMeasured;  // to the median of all nodes' best ones, in the visit in which it compares best
};

// What a visit shows by chance, the others do not.
std::map<std::string, BestLink> best_links(const OneCheck& check, const NodeCheck& link) {
  std::map<std::string, BestLink> best;
  for (const auto& [visit, of_nodes] : check.best_links(link)) {
    std::vector<double> all;
    for (const auto& [node, seconds] : of_nodes) all.push_back(seconds);
    const double usual_s = median(std::move(all));
    for (const auto& [node, seconds] : of_nodes) {
      auto& one = best[node];
      one.seconds = std::fmin(one.seconds, seconds);
      one.ratio = std::fmin(one.ratio, seconds / usual_s);
    }
  }
  return best;
}

// Two nodes have one link: whose fault it is cannot be told.
void add_links(std::vector<NodeRow>& rows, const OneCheck& check, const NodeCheck& link) {
  constexpr std::size_t kFewestNodes = 3;
  if (check.nodes().size() < kFewestNodes) return;
  const auto best = best_links(check, link);
  for (const auto& node : check.nodes()) {
    const auto found = best.find(node);
    if (found == best.end()) continue;
    NodeRow row{node, node_source::kCheck, "", std::string(link.name), found->second.seconds, {.value = found->second.ratio}};
    row.finding = row.ratio.value > kSlowLinkRatio ? node_finding::kSlow : node_finding::kOk;
    if (row.finding == node_finding::kSlow)
      row.reason = std::string(link.what) + " takes, on the best of its links, " + number_text(row.ratio.value) +
                   " times as long as on the other nodes' best, in every visit";
    rows.push_back(std::move(row));
  }
}

// A wrong result that all nodes have says nothing of one of them.
void add_wrong(std::vector<NodeRow>& rows, const OneCheck& check, const NodeCheck& wrong) {
  std::size_t have_some = 0;
  for (const auto& node : check.nodes()) have_some += check.sum_of(wrong, node) > 0 ? 1 : 0;
  for (const auto& node : check.nodes()) {
    NodeRow row{node, node_source::kCheck, "", std::string(wrong.name), check.sum_of(wrong, node)};
    row.finding = row.value > 0 && have_some < check.nodes().size() ? node_finding::kBroken : node_finding::kOk;
    if (row.value > 0) {
      row.reason = std::to_string(std::llround(row.value)) + " " + std::string(wrong.what);
      if (row.finding == node_finding::kOk) row.reason += "; on all nodes: the network or the backend is at fault, not this node";
    }
    rows.push_back(std::move(row));
  }
}

std::vector<NodeRow> judged(const OneCheck& check) {
  if (check.nodes().size() < 2) return {};
  NodeVerdict judgement;
  judgement.add(check.times_of(node_check::kProduct), node_source::kCheck, node_check::kProduct, kSlowRatio);
  judgement.add(check.times_of(node_check::kChain), node_source::kCheck, node_check::kChain, kSlowRatio);
  judgement.add(check.times_of(node_check::kCopy), node_source::kCheck, node_check::kCopy, kSlowCopyRatio);
  auto rows = judgement.rows();
  explain(rows, check);
  add_links(rows, check, node_check::kLinkLatency);
  add_links(rows, check, node_check::kLinkTransfer);
  add_wrong(rows, check, node_check::kWrongSums);
  add_wrong(rows, check, node_check::kWrongProducts);
  for (auto& row : rows) row.started_utc = check.started_utc();
  return rows;
}

void add_launch(NodeTimes& times, const Cell& cell, const Launch& launch, std::size_t number) {
  const auto hosts = nodes_of(launch);
  const auto per_node = static_cast<std::size_t>(cell.axes.ranks_per_node);
  for (const auto& family : cell.families) {
    const auto* arm = launch.usable(family.reference) ? launch.samples.find(family.reference) : nullptr;
    if (arm == nullptr || family.host_only_enqueues()) continue;
    for (std::size_t rank = 0; rank < arm->ranks.size(); ++rank) {
      if (rank / per_node >= hosts.size()) continue;
      const auto blocks = arm->ranks[rank].block_means.size();
      for (std::size_t block = 0; block < blocks; ++block)
        times.add(hosts[rank / per_node], number, static_cast<std::int64_t>(block), useful_seconds(arm->ranks[rank], block));
    }
    return;  // one reference: those of two families are not the same work
  }
}

}  // namespace

std::vector<NodeRow> judge_node_checks(std::span<const NodeCheckRow> rows) {
  std::set<std::string> started;
  for (const auto& row : rows) started.insert(row.started_utc);
  std::vector<NodeRow> all;
  for (const auto& one : started) {
    for (auto& row : judged(OneCheck(rows, one))) all.push_back(std::move(row));
  }
  return all;
}

std::vector<NodeRow> nodes_of_sweep(const Study& study, bool with_profiled) {
  static constexpr NodeCheck kUseful{"useful_s", "s", "what a step does beside waiting for other ranks"};
  NodeTimes times;
  std::size_t number = 0;
  for (const auto& cell : study.cells) {
    if (cell.axes.nodes < 2) continue;
    for (const auto& launch : cell.launches) {
      const bool counts = !launch.runs.empty() && (with_profiled || launch.profiled().empty());
      if (counts) add_launch(times, cell, launch, number++);
    }
  }
  NodeVerdict judgement;
  judgement.add(times, node_source::kSweep, kUseful, kSlowRatio);
  return judgement.rows();
}

std::vector<NodeRow> node_rows(const Study& study) {
  auto rows = judge_node_checks(study.node_checks);
  for (auto& row : nodes_of_sweep(study)) rows.push_back(std::move(row));
  return rows;
}

std::vector<BadNode> bad_nodes(std::span<const NodeRow> rows) {
  std::vector<const NodeRow*> worst;  // of each node
  const auto badness = [](const NodeRow& row) { return row.finding == node_finding::kBroken ? HUGE_VAL : row.ratio.value; };
  for (const auto& row : rows) {
    if (row.finding == node_finding::kOk) continue;
    const auto known = std::find_if(worst.begin(), worst.end(), [&](const auto* one) { return one->node == row.node; });
    if (known == worst.end()) {
      worst.push_back(&row);
    } else if (badness(row) > badness(**known)) {
      *known = &row;
    }
  }
  std::vector<BadNode> bad;
  for (const auto* row : worst) bad.push_back({row->node, row->finding, row->node + " is " + row->finding + ": " + row->reason});
  return bad;
}

namespace {

const std::array kNodeColumns{
    Column<NodeRow>{"node", &NodeRow::node, "its name"},
    Column<NodeRow>{"source", &NodeRow::source, "check: before the sweep; sweep: its own steps"},
    Column<NodeRow>{"started_utc", &NodeRow::started_utc, "of the check, ISO 8601; empty: all launches of the sweep"},
    Column<NodeRow>{"check", &NodeRow::check, "what was compared"},
    Column<NodeRow>{"value", &NodeRow::value, "median over rounds or blocks of the node's slowest rank; seconds, or a count"},
    Column<NodeRow>{"ratio", &NodeRow::ratio, "to the median of the other nodes in the same round or block"},
    Column<NodeRow>{"samples", &NodeRow::samples, "rounds, or blocks of all launches"},
    Column<NodeRow>{"finding", &NodeRow::finding, "ok, slow or broken"},
    Column<NodeRow>{"reason", &NodeRow::reason, "why it is not ok"},
};

}  // namespace

template <>
std::span<const Column<NodeRow>> columns<NodeRow>() {
  return kNodeColumns;
}

template <>
std::vector<NodeRow> make_finding(const Findings& findings) {
  return node_rows(findings.study);
}

ReportTable nodes_table() {
  return report_table<NodeRow>("tables/nodes.csv", "one node in one respect, against the other nodes",
                               [](const Findings& findings, auto& table) {
                                 for (const auto& row : findings.rows<NodeRow>()) table.add(row);
                               });
}

}  // namespace ddpbench
