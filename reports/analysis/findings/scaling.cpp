#include "reports/analysis/findings/scaling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reports/analysis/comparisons/median_interval.hpp"
#include "reports/analysis/samples/block_series.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/axes.hpp"

namespace ddpbench {
namespace {

std::int64_t global_batch(const Cell& cell) { return cell.global_batch_size(); }
std::int64_t batch_per_rank(const Cell& cell) { return cell.axes.batch_size_per_rank; }

// What is the same in all cells that scaling compares.
struct Mode {
  const char* name;
  std::int64_t (*constant)(const Cell&);
};
constexpr std::array<Mode, 2> kModes{{{"strong", global_batch}, {"weak", batch_per_rank}}};

// Of cells that differ in nothing but ranks, and have the mode's constant in common.
struct ScalingGroup {
  const Cell* smallest = nullptr;
  bool has_several_sizes = false;

  void add(const Cell& cell) {
    if (smallest == nullptr) smallest = &cell;
    has_several_sizes |= cell.world_size() != smallest->world_size();
    if (cell.world_size() < smallest->world_size()) smallest = &cell;
  }
};

// All that strong or weak scaling leaves as it is, as text: they change the sizes.
std::string unscaled(const Cell& cell, const Mode& mode) {
  return std::string(mode.name) + " " + std::to_string(mode.constant(cell)) + "\n" + axes_but(kSizeAxes, cell.axes);
}

std::map<std::string, ScalingGroup> scaling_groups(const Study& study) {
  std::map<std::string, ScalingGroup> groups;
  for (const auto& cell : study.cells) {
    for (const auto& mode : kModes) groups[unscaled(cell, mode)].add(cell);
  }
  return groups;
}

std::vector<double> block_steps_s(const Launch& launch, const std::string& arm, Clock clock) {
  std::vector<double> steps;
  for (const double b : block_series(*launch.samples.find(arm), clock).of_medians) {
    if (std::isfinite(b)) steps.push_back(std::exp(b));
  }
  return steps;
}

struct Throughput {
  Estimate images_per_s;
  std::map<std::int64_t, double> by_repetition;
  std::int64_t launches = 0, super_blocks = 0;
};

// A rate over launches: the harmonic mean of theirs, for that is all images over all time; its interval is Student's of their logarithms,
// so that no bound is below 0. Of one launch by order statistics of its block medians.
Estimate rate_over_launches(const std::vector<double>& rates, double confidence) {
  double times = 0;
  std::vector<double> logs;
  for (const double rate : rates) {
    times += 1 / rate;
    logs.push_back(std::log(rate));
  }
  const auto interval = t_interval(logs, confidence);
  const double value = static_cast<double>(rates.size()) / times;
  const double half = 0.5 * (interval.hi - interval.lo);
  return {value, value * std::exp(-half), value * std::exp(half), rates.size()};
}

Throughput throughput(const Cell& cell, const std::string& arm) {
  const auto images = static_cast<double>(cell.images_per_step_of(arm));
  Throughput found;
  std::vector<double> of_launches;
  Estimate only;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto steps = block_steps_s(*launch, arm, cell.family_of(arm).attained_clock());
    if (steps.empty()) continue;
    const auto step_s = median_interval(steps, cell.settings.confidence);
    only = {images / step_s.value, images / step_s.hi, images / step_s.lo, steps.size()};
    of_launches.push_back(only.value);
    found.by_repetition[launch->runs.front().repetition] = only.value;
    found.super_blocks += static_cast<std::int64_t>(steps.size()) / launch->samples.find(arm)->blocks_per_super_block;
  }
  found.launches = static_cast<std::int64_t>(of_launches.size());
  found.images_per_s = of_launches.size() == 1 ? only : rate_over_launches(of_launches, cell.settings.confidence);
  return found;
}

// The ratio of two independent estimates: their relative half-widths in quadrature.
Estimate ratio(const Estimate& a, const Estimate& b) {
  const auto half_width = [](const Estimate& e) { return 0.5 * std::log(e.hi / e.lo); };
  const double half = std::hypot(half_width(a), half_width(b));
  const double value = a.value / b.value;
  return {value, value * std::exp(-half), value * std::exp(half), a.n};
}

// Launches of one repetition ran soon after each other: what drifts from one repetition to the next falls out of their ratios. With fewer than
// two in common the two estimates are taken as independent.
Estimate paired_ratio(const Throughput& a, const Throughput& b, double confidence) {
  std::vector<double> logs;
  for (const auto& [repetition, rate] : a.by_repetition) {
    const auto other = b.by_repetition.find(repetition);
    if (other != b.by_repetition.end()) logs.push_back(std::log(rate / other->second));
  }
  if (logs.size() < 2) return ratio(a.images_per_s, b.images_per_s);
  const auto interval = t_interval(logs, confidence);
  return {std::exp(interval.value), std::exp(interval.lo), std::exp(interval.hi), logs.size()};
}

ScalingRow row_of(const ScalingPair& pair, const std::string& arm) {
  const auto& axes = pair.cell->axes;
  ScalingRow row;
  row.axes() = axes.axes();
  row.cell_id = axes.cell_id;
  row.options = axes.options;
  row.arm = arm;
  row.world_size = pair.cell->world_size();
  row.mode = pair.mode;
  if (pair.reference != nullptr) row.reference_cell = pair.reference->axes.cell_id;
  return row;
}

void add_speedup(ScalingRow& row, const ScalingPair& pair, const Throughput& found) {
  const auto base = throughput(*pair.reference, row.arm);
  const double sizes = static_cast<double>(pair.cell->world_size()) / static_cast<double>(pair.reference->world_size());
  const auto speedup = pair.cell == pair.reference ? Estimate{1, 1, 1, base.images_per_s.n}
                                                   : paired_ratio(found, base, pair.cell->settings.confidence);
  row.speedup = speedup.value;
  row.speedup_lo = speedup.lo;
  row.speedup_hi = speedup.hi;
  row.efficiency = speedup.value / sizes;
  row.efficiency_lo = speedup.lo / sizes;
  row.efficiency_hi = speedup.hi / sizes;
}

}  // namespace

std::vector<ScalingPair> scaling_pairs(const Study& study) {
  const auto groups = scaling_groups(study);
  std::vector<ScalingPair> pairs;
  for (const auto& cell : study.cells) {
    const auto before = pairs.size();
    for (const auto& mode : kModes) {
      const auto& group = groups.at(unscaled(cell, mode));
      if (group.has_several_sizes) pairs.push_back({&cell, group.smallest, mode.name});
    }
    if (pairs.size() == before) pairs.push_back({&cell, nullptr, ""});
  }
  return pairs;
}

std::vector<ScalingRow> scaling_rows(const Study& study) {
  std::vector<ScalingRow> rows;
  for (const auto& pair : scaling_pairs(study)) {
    for (const auto& arm : pair.cell->arms) {
      const auto found = throughput(*pair.cell, arm);
      if (found.launches == 0) continue;
      auto& row = rows.emplace_back(row_of(pair, arm));
      if (!has_own_batches(arm)) {
        row.images_per_s = found.images_per_s.value;
        row.images_per_s_lo = found.images_per_s.lo;
        row.images_per_s_hi = found.images_per_s.hi;
      }
      row.launches = found.launches;
      row.super_blocks = found.super_blocks;
      if (pair.reference != nullptr) add_speedup(row, pair, found);
    }
  }
  return rows;
}

}  // namespace ddpbench
