#include "reports/analysis/findings/sizes/predictions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "reports/analysis/findings/sizes/scaling.hpp"
#include "reports/analysis/findings/sizes/training_cost.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/samples_per_step.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

constexpr const char* kStrong = "strong";

auto key_of(const ScalingRow& row) { return std::tie(row.cell_id, row.arm, row.mode); }
auto key_of(const EfficiencyRow& row) { return std::tie(row.cell_id, row.arm, row.mode); }

// Both in the same sense: means of the parts are scaled to the median step, which is what throughput is made of.
SizePoint point_of(const ScalingRow& row, std::int64_t micro_batches, const std::vector<EfficiencyRow>& efficiency) {
  SizePoint point;
  point.size = {row.nodes, row.world_size, row.batch_size_per_rank};
  const auto samples = static_cast<double>(micro_batches * samples_per_step(row, row.options));
  point.step_s = samples / row.samples_per_s.value;
  const auto parts =
      std::find_if(efficiency.begin(), efficiency.end(), [&](const auto& one) { return key_of(one) == key_of(row); });
  if (parts == efficiency.end() || !(parts->step_us > 0)) return point;
  point.mean_useful_s = parts->mean_useful_us * point.step_s / parts->step_us;
  point.max_useful_s = parts->max_useful_us * point.step_s / parts->step_us;
  return point;
}

HeldOutRow held_out(const SizeGroup& group, std::size_t place) {
  const auto& row = *group.rows[place];
  HeldOutRow found;
  found.cell_id = row.cell_id;
  found.arm = row.arm;
  found.mode = row.mode;
  found.reference_cell = row.reference_cell;
  found.nodes = row.nodes;
  found.world_size = row.world_size;
  found.step_ms = 1e3 * group.points[place].step_s;
  auto others = group.points;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
  found.sizes = static_cast<std::int64_t>(others.size());
  const auto model = model_of(group, others);
  found.reason = model.why_not(group.points[place].size);
  if (!found.reason.empty()) return found;
  const auto predicted = model.at(group.points[place].size);
  found.predicted_ms = mapped(predicted.step_s, [](double step_s) { return 1e3 * step_s; });
  found.compute_ms = 1e3 * predicted.compute_s;
  found.skew_ms = 1e3 * predicted.skew_s;
  found.exposed_ms = 1e3 * predicted.exposed_s;
  found.error_percent = 100 * (found.predicted_ms.value / found.step_ms - 1);
  found.is_inside = found.predicted_ms.lo <= found.step_ms && found.step_ms <= found.predicted_ms.hi;
  return found;
}

}  // namespace

TrainingSize SizeGroup::size_of(std::int64_t world_size, std::int64_t wanted_ranks_per_node, std::string& why_not) const {
  const auto per_node = wanted_ranks_per_node > 0 ? wanted_ranks_per_node : ranks_per_node;
  TrainingSize size{world_size <= per_node ? 1 : world_size / per_node, world_size, smallest->batch_size_per_rank};
  if (world_size > per_node && world_size % per_node != 0)
    why_not = "it is no multiple of the " + std::to_string(per_node) + " ranks of a node; --ranks-per-node says how many it has";
  if (smallest->mode != kStrong) return size;
  const auto global = smallest->world_size * smallest->batch_size_per_rank;
  size.batch_size_per_rank = global / world_size;
  if (global % world_size != 0)
    why_not = "the global batch of " + std::to_string(global) + " cannot be shared equally among so many ranks";
  return size;
}

std::vector<SizeGroup> size_groups(const std::vector<ScalingRow>& scaling, const std::vector<EfficiencyRow>& efficiency,
                                   const std::vector<ArmFacts>& arms, const Vocabulary& tables) {
  std::map<std::tuple<std::string, std::string, std::string>, SizeGroup> groups;
  for (const auto& row : scaling) {
    if (!row.mode.empty() && row.samples_per_s.value > 0) groups[{row.mode, row.reference_cell, row.arm}].rows.push_back(&row);
  }
  std::vector<SizeGroup> found;
  for (auto& [key, group] : groups) {
    if (group.rows.size() < 2) continue;
    std::stable_sort(group.rows.begin(), group.rows.end(), [](const auto* a, const auto* b) {
      return std::tie(a->world_size, a->nodes) < std::tie(b->world_size, b->nodes);
    });
    group.smallest = group.rows.front();
    group.micro_batches = find_arm(arms, group.smallest->arm).micro_batches;
    group.on_gpus = occupies_gpus(tables, group.smallest->backend);
    group.epoch_samples = epoch_samples(tables, group.smallest->workload);
    group.is_ring = find_entry(tables.backends, "backend", group.smallest->backend).is_ring;
    for (const auto* row : group.rows) {
      group.points.push_back(point_of(*row, group.micro_batches, efficiency));
      group.ranks_per_node = std::max(group.ranks_per_node, row->ranks_per_node);
    }
    found.push_back(std::move(group));
  }
  return found;
}

SizeModel model_of(const SizeGroup& group, std::span<const SizePoint> points) {
  return {points, group.is_ring ? CollectiveShape::kRing : CollectiveShape::kTree, kDefaultConfidence};
}

std::vector<HeldOutRow> held_out_rows(const std::vector<SizeGroup>& groups) {
  std::vector<HeldOutRow> rows;
  for (const auto& group : groups) {
    if (group.points.size() < kSizesToHoldOneOut) continue;
    for (std::size_t place = 0; place < group.points.size(); ++place) rows.push_back(held_out(group, place));
  }
  return rows;
}

HeldOutScore score_of(const std::vector<HeldOutRow>& rows) {
  HeldOutScore score;
  std::vector<double> misses;
  for (const auto& row : rows) {
    if (!row.reason.empty()) continue;
    misses.push_back(std::fabs(row.error_percent));
    score.largest_percent = std::max(score.largest_percent, misses.back());
    score.inside += row.is_inside ? 1 : 0;
  }
  score.predicted = misses.size();
  score.median_percent = median(std::move(misses));
  return score;
}

namespace {

using HeldOut = HeldOutRow;
const std::array kHeldOutColumns{
    Column<HeldOut>{"cell_id", &HeldOut::cell_id, "the size that was measured, and predicted from the others of its group"},
    Column<HeldOut>{"arm", &HeldOut::arm, "who drives the step"},
    Column<HeldOut>{"mode", &HeldOut::mode, "strong: same global batch, weak: same batch per rank"},
    Column<HeldOut>{"reference_cell", &HeldOut::reference_cell, "the smallest size of the group"},
    Column<HeldOut>{"nodes", &HeldOut::nodes, "of the size"},
    Column<HeldOut>{"world_size", &HeldOut::world_size, "its ranks"},
    Column<HeldOut>{"sizes", &HeldOut::sizes, "that the model was made of"},
    Column<HeldOut>{"step_ms", &HeldOut::step_ms, "measured: median step of the slowest rank", "ms"},
    Column<HeldOut>{"predicted_ms", &HeldOut::predicted_ms, "without this size", "ms"},
    Column<HeldOut>{"compute_ms", &HeldOut::compute_ms, "of the prediction; empty where a device computes", "ms"},
    Column<HeldOut>{"skew_ms", &HeldOut::skew_ms, "of it: what the slowest rank has more than the mean one", "ms"},
    Column<HeldOut>{"exposed_ms", &HeldOut::exposed_ms, "of it: communication that compute does not hide", "ms"},
    Column<HeldOut>{"error_percent", &HeldOut::error_percent, "predicted over measured, less 1", "%"},
    Column<HeldOut>{"is_inside", &HeldOut::is_inside, "1: the measured step lies within the bounds"},
    Column<HeldOut>{"reason", &HeldOut::reason, "why it was not predicted"},
};

}  // namespace

template <>
std::span<const Column<HeldOutRow>> columns<HeldOutRow>() {
  return kHeldOutColumns;
}

ReportTable held_out_table() {
  return report_table<HeldOutRow>(
      "tables/held_out.csv", "one size that was held out, and predicted", [](const Findings& findings, auto& table) {
        const auto& study = findings.study;
        const auto groups =
            size_groups(findings.rows<ScalingRow>(), findings.rows<EfficiencyRow>(), study.arms, study.vocabulary);
        for (const auto& row : held_out_rows(groups)) table.add(row);
      });
}

}  // namespace ddpbench
