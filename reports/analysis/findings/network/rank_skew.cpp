#include "reports/analysis/findings/network/rank_skew.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/text.hpp"
#include "suite/estimates/quantity.hpp"

namespace ddpbench {
namespace {

// The ranks of one arm of one cell.
class RanksOfArm {
 public:
  RanksOfArm(const Cell& cell, std::string arm)
      : cell_(cell), arm_(std::move(arm)), ranks_(static_cast<std::size_t>(cell.world_size())) {
    for (const auto* launch : cell.launches_with({arm_})) add(*launch);
  }

  void append_to(std::vector<SkewRow>& rows) const {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (!ranks_[rank].log_ratios.empty()) rows.push_back(row_of(rank));
    }
  }

 private:
  struct OneRank {
    LaunchPairs log_ratios;
    std::vector<std::string> nodes;
  };

  std::size_t node_rank(std::size_t rank) const { return rank / static_cast<std::size_t>(cell_.axes.ranks_per_node); }

  void add(const Launch& launch) {
    const auto& samples = launch.samples.find(arm_)->ranks;
    if (samples.size() != ranks_.size()) return;
    std::vector<std::vector<double>> log_ratios(ranks_.size());
    for (std::size_t block = 0; block < samples.front().block_means.size(); ++block) add_block(samples, block, log_ratios);
    if (std::any_of(log_ratios.begin(), log_ratios.end(), [](const auto& of_rank) { return of_rank.empty(); })) return;
    const auto names = nodes_of(launch);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      ranks_[rank].log_ratios.push_back(std::move(log_ratios[rank]));
      const auto& name = node_rank(rank) < names.size() ? names[node_rank(rank)] : "";
      if (!holds(ranks_[rank].nodes, name)) ranks_[rank].nodes.push_back(name);
    }
  }

  static void add_block(const std::vector<RankSamples>& samples, std::size_t block,
                        std::vector<std::vector<double>>& log_ratios) {
    double sum_s = 0;
    for (const auto& rank : samples) sum_s += useful_seconds(rank, block);
    const double mean_s = sum_s / static_cast<double>(samples.size());
    if (!(mean_s > 0) || !std::isfinite(mean_s)) return;  // one rank lacks the block
    for (std::size_t rank = 0; rank < samples.size(); ++rank) {
      const double own_s = useful_seconds(samples[rank], block);
      if (own_s > 0) log_ratios[rank].push_back(std::log(own_s / mean_s));
    }
  }

  SkewRow row_of(std::size_t rank) const {
    const auto& one = ranks_[rank];
    SkewRow row;
    row.cell_id = cell_.axes.cell_id;
    row.arm = arm_;
    row.rank = static_cast<std::int64_t>(rank);
    row.node_rank = static_cast<std::int64_t>(node_rank(rank));
    row.node = join(one.nodes, " ");
    const auto log_ratio = Quantity(Location::kMean, one.log_ratios, {}, cell_.settings.confidence).estimate();
    row.ratio = mapped(log_ratio, [](double log) { return std::exp(log); });
    for (const auto& blocks : one.log_ratios) row.samples += static_cast<std::int64_t>(blocks.size());
    row.launches = static_cast<std::int64_t>(one.log_ratios.size());
    return row;
  }

  const Cell& cell_;
  std::string arm_;
  std::vector<OneRank> ranks_;
};

}  // namespace

double useful_seconds(const RankSamples& rank, std::size_t block) {
  if (block >= rank.block_means.size() || block >= rank.comm_waits_s.size()) return kNotMeasured;
  return rank.block_means[block][index_of(Clock::kWall)] - rank.comm_waits_s[block];
}

std::vector<std::string> nodes_of(const Launch& launch) {
  return launch.runs.empty() ? std::vector<std::string>{} : split(launch.runs.front().host_list, ' ');
}

std::vector<SkewRow> skew_rows(const Study& study) {
  std::vector<SkewRow> rows;
  for (const auto& cell : study.cells) {
    if (cell.world_size() < 2) continue;
    for (const auto& family : cell.families) {
      if (!family.host_only_enqueues()) RanksOfArm(cell, family.reference).append_to(rows);
    }
  }
  return rows;
}

namespace {

const std::array kSkewColumns{
    Column<SkewRow>{"cell_id", &SkewRow::cell_id, "one combination of every axis except arm"},
    Column<SkewRow>{"arm", &SkewRow::arm, "who drives the step: a loop by hand"},
    Column<SkewRow>{"rank", &SkewRow::rank, "global rank"},
    Column<SkewRow>{"node_rank", &SkewRow::node_rank, "its node's number in the launch"},
    Column<SkewRow>{"node", &SkewRow::node, "its node's name; several where launches took different ones"},
    Column<SkewRow>{"ratio", &SkewRow::ratio,
                    "what the rank does in a step beside waiting in collectives, over the mean of the ranks", "",
                    "95 % bound (t)"},
    Column<SkewRow>{"samples", &SkewRow::samples, "blocks of all launches"},
    Column<SkewRow>{"launches", &SkewRow::launches, "fresh processes in the estimate"},
};

}  // namespace

template <>
std::span<const Column<SkewRow>> columns<SkewRow>() {
  return kSkewColumns;
}

ReportTable skew_table() {
  return report_table<SkewRow>("tables/skew.csv", "one rank of one cell", [](const Findings& findings, auto& table) {
    for (const auto& row : skew_rows(findings.study)) table.add(row);
  });
}

}  // namespace ddpbench
