#include "reports/analysis/findings/sizes/scaling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/estimates/repetitions.hpp"

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

// What the launches of an arm in a cell attained.
struct Throughput {
  double samples_per_s = kNotMeasured;       // all samples over all time: the harmonic mean of the launches'
  std::map<std::int64_t, double> log_rates;  // by repetition
  std::int64_t launches = 0, super_blocks = 0;
};

Throughput throughput(const Cell& cell, const std::string& arm) {
  const auto samples = static_cast<double>(cell.samples_per_step_of(arm));
  Throughput found;
  double seconds_per_sample = 0;
  for (const auto* launch : cell.launches_with({arm})) {
    const auto steps_s = block_steps_s(*launch, arm, cell.family_of(arm).attained_clock());
    if (steps_s.empty()) continue;
    const double rate = samples / median(steps_s);
    seconds_per_sample += 1 / rate;
    found.log_rates[launch->runs.front().repetition] = std::log(rate);
    found.super_blocks += static_cast<std::int64_t>(steps_s.size()) / launch->samples.find(arm)->blocks_per_super_block;
    ++found.launches;
  }
  if (found.launches > 0) found.samples_per_s = static_cast<double>(found.launches) / seconds_per_sample;
  return found;
}

std::vector<Throughput> throughputs(const std::vector<const Cell*>& cells, const std::string& arm) {
  std::vector<Throughput> found;
  for (const auto* cell : cells) found.push_back(holds(cell->arms, arm) ? throughput(*cell, arm) : Throughput{});
  return found;
}

std::vector<std::map<std::int64_t, double>> log_rates_of(const std::vector<Throughput>& sizes) {
  std::vector<std::map<std::int64_t, double>> log_rates;
  for (const auto& size : sizes) log_rates.push_back(size.log_rates);
  return log_rates;
}

// An arm on the sizes of one group: they are judged together, for with two or three launches a size alone does not tell its own scatter.
class SizesOfArm {
 public:
  SizesOfArm(const std::vector<const Cell*>& cells, const std::string& arm)
      : cells_(cells), found_(throughputs(cells, arm)), rates_(log_rates_of(found_)) {}

  const Throughput& of(const Cell& cell) const { return found_[place_of(cell)]; }

  // Over launches; of one there is none. Bounds by the logarithms, so that none is below 0.
  Estimate samples_per_s(const Cell& cell) const {
    const auto& found = of(cell);
    const auto logs = rates_.level(place_of(cell), cell.settings.confidence);
    const double half = 0.5 * (logs.hi - logs.lo);
    return {found.samples_per_s, found.samples_per_s * std::exp(-half), found.samples_per_s * std::exp(half), logs.n};
  }

  // By launches of one repetition, which ran soon after each other; where none is common, as of independent launches.
  Estimate speedup(const Cell& cell, const Cell& reference) const {
    if (&cell == &reference) return {1, 1, 1, rates_.level(place_of(cell)).n};
    const auto logs = rates_.difference(place_of(cell), place_of(reference), cell.settings.confidence);
    return {std::exp(logs.value), std::exp(logs.lo), std::exp(logs.hi), logs.n};
  }

  // Of those that were measured.
  bool is_smallest(const Cell& cell) const {
    return std::none_of(cells_.begin(), cells_.end(), [&](const Cell* other) { return is_smaller(*other, cell); });
  }

  // That it is no faster than some smaller size: the largest p of them, for it must be faster than each. NaN: no smaller size, or too few launches.
  double p_not_faster(const Cell& cell) const {
    double largest = kNotMeasured;
    for (const auto* other : cells_) {
      if (!is_smaller(*other, cell)) continue;
      const double p = rates_.p_above(place_of(cell), place_of(*other));
      if (std::isnan(p)) return kNotMeasured;
      largest = std::fmax(largest, p);
    }
    return largest;
  }

 private:
  bool is_smaller(const Cell& other, const Cell& cell) const {
    return other.world_size() < cell.world_size() && of(other).launches > 0;
  }
  std::size_t place_of(const Cell& cell) const {
    return static_cast<std::size_t>(std::find(cells_.begin(), cells_.end(), &cell) - cells_.begin());
  }

  std::vector<const Cell*> cells_;
  std::vector<Throughput> found_;  // by cell
  Repetitions rates_;              // the same, logarithms
};

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

void add_speedup(ScalingRow& row, const ScalingPair& pair, const SizesOfArm& sizes) {
  const double ratio = static_cast<double>(pair.cell->world_size()) / static_cast<double>(pair.reference->world_size());
  row.speedup = sizes.speedup(*pair.cell, *pair.reference);
  row.efficiency = mapped(row.speedup, [&](double speedup) { return speedup / ratio; });
  row.p_not_faster = sizes.p_not_faster(*pair.cell);
  row.is_faster = sizes.is_smallest(*pair.cell) || row.p_not_faster < pair.cell->settings.significance() / 2;
}

// The cells of one comparison of sizes, its reference among them.
using GroupKey = std::pair<std::string, const Cell*>;
GroupKey key_of(const ScalingPair& pair) { return {pair.mode, pair.reference == nullptr ? pair.cell : pair.reference}; }

std::map<GroupKey, std::vector<const Cell*>> cells_of_groups(const std::vector<ScalingPair>& pairs) {
  std::map<GroupKey, std::vector<const Cell*>> groups;
  for (const auto& pair : pairs) groups[key_of(pair)].push_back(pair.cell);
  return groups;
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
  const auto pairs = scaling_pairs(study);
  const auto groups = cells_of_groups(pairs);
  std::map<std::pair<GroupKey, std::string>, SizesOfArm> sizes;
  std::vector<ScalingRow> rows;
  for (const auto& pair : pairs) {
    const auto key = key_of(pair);
    for (const auto& arm : pair.cell->arms) {
      const auto& of_arm = sizes.try_emplace({key, arm}, groups.at(key), arm).first->second;
      const auto& found = of_arm.of(*pair.cell);
      if (found.launches == 0) continue;
      auto& row = rows.emplace_back(row_of(pair, arm));
      if (!study.facts_of(arm).has_own_batches()) row.samples_per_s = of_arm.samples_per_s(*pair.cell);
      row.launches = found.launches;
      row.super_blocks = found.super_blocks;
      if (pair.reference != nullptr) add_speedup(row, pair, of_arm);
    }
  }
  return rows;
}

template <>
std::vector<ScalingRow> make_finding(const Findings& findings) {
  return scaling_rows(findings.study);
}

ReportTable scaling_table() {
  return report_table<ScalingRow>("scaling.csv", "one arm of one cell in one mode", [](const Findings& findings, auto& table) {
    for (const auto& row : findings.rows<ScalingRow>()) table.add(row);
  });
}

}  // namespace ddpbench
